import type { Attributes, AttributeValue } from "../model.ts";
import { otlp } from "./generated/otlp.js";
import { integerOf, type Wide } from "./numbers.ts";
import type { WantedKeys } from "./wanted.ts";

/** Tag and wire type of the key, which every encoder writes first. */
const keyTag = 0x0a;

/** Decodes the wanted ones of undecoded attributes; of a key that occurs twice the last counts. */
export function decodeAttributes(undecoded: Uint8Array[], wanted: WantedKeys): Attributes {
  const attributes: Attributes = {};
  for (const bytes of undecoded) {
    const length = bytes[1] ?? 0;
    const plain = bytes[0] === keyTag && length < 128;
    if (plain && wanted.match(bytes, 2, length) === null) continue;
    const { key, value } = otlp.KeyValue.decode(bytes);
    if (typeof key !== "string" || !wanted.all.has(key)) continue;
    const known = valueOf(value);
    if (known !== undefined) attributes[key] = known;
  }
  return attributes;
}

type AnyValue = otlp.AnyValue.$Properties;

/** Undefined for an empty value and for raw bytes, which no wanted attribute holds. */
function valueOf(value: AnyValue | null | undefined): AttributeValue | undefined {
  switch ((value as otlp.AnyValue | null | undefined)?.value) {
    case "stringValue":
      return value!.stringValue!;
    case "boolValue":
      return value!.boolValue!;
    case "intValue":
      return integerOf(value!.intValue as Wide);
    case "doubleValue":
      return value!.doubleValue!;
    case "arrayValue":
      return (value!.arrayValue?.values ?? []).map((v) => textOf(valueOf(v)));
    case "kvlistValue":
      return JSON.stringify(plainMap(value!.kvlistValue?.values ?? []));
    default:
      return undefined;
  }
}

function plainMap(entries: otlp.KeyValue.$Properties[]): Record<string, unknown> {
  return Object.fromEntries(entries.map(({ key, value }) => [key ?? "", valueOf(value) ?? null]));
}

/** A value as an entry of a list of texts. */
export function textOf(value: AttributeValue | undefined): string {
  return Array.isArray(value) ? value.join(",") : String(value ?? "");
}
