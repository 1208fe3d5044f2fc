import type protobuf from "protobufjs/minimal.js";
import type { Attributes, AttributeValue } from "../model.ts";
import { otlp } from "./generated/otlp.js";
import { integerOf, type Wide } from "./numbers.ts";
import type { WantedKeys } from "./wanted.ts";
import { endOf } from "./wire.ts";

/** Tag of the key, which every encoder writes first. */
const keyTag = 0x0a;

/** Takes the attribute that stands here if it is wanted; of a key that occurs twice the last counts. */
export function takeAttribute(
  reader: protobuf.Reader,
  wanted: WantedKeys,
  attributes: Attributes,
): void {
  const length = reader.uint32();
  const { buf, pos } = reader;
  const end = endOf(reader, length);
  const keyLength = buf[pos + 1] ?? 0;
  const plain = length > 1 && buf[pos] === keyTag && keyLength < 128;
  if (plain && wanted.match(buf, pos + 2, keyLength) === null) {
    reader.pos = end;
    return;
  }
  const { key, value } = otlp.KeyValue.decode(reader, length);
  if (typeof key !== "string" || !wanted.all.has(key)) return;
  const known = valueOf(value);
  // lookup-ok -- only wanted keys come here
  if (known !== undefined) attributes[key] = known;
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
