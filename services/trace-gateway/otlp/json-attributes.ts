import type { Attributes } from "../model.ts";
import { type AnyValue, attributeOf } from "./any-value.ts";
import { deepestValue } from "./bounds.ts";
import { MalformedRequest } from "./decoded.ts";
import { list, object } from "./json-values.ts";
import type { KeyMatcher } from "./key-matcher.ts";

/** The needed attributes in JSON; `at` returns the path of their owner. */
export function attributesOf(given: unknown, wanted: KeyMatcher, at: () => string): Attributes {
  const attributes: Attributes = {};
  if (given === undefined) return attributes;
  const place = (index: number) => `${at()}.attributes[${index}]`;
  list(given, `${at()}.attributes`).forEach((entry, index) => {
    if (typeof entry !== "object" || entry === null) {
      throw new MalformedRequest(`${place(index)} must be an object`);
    }
    const { key, value } = entry as { key?: unknown; value?: unknown };
    if (typeof key !== "string" || !wanted.all.has(key)) return;
    const known = attributeOf(valueOf(value, () => place(index), 0));
    // lookup-ok -- only wanted keys come here
    if (known !== undefined) attributes[key] = known;
  });
  return attributes;
}

function valueOf(given: unknown, at: () => string, depth: number): AnyValue {
  if (depth > deepestValue) throw new MalformedRequest(`${at()} is nested too deep`);
  const value = object(given, `${at()}.value`);
  if (value === undefined) return undefined;
  if (typeof value.stringValue === "string") return value.stringValue;
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (value.intValue !== undefined) return integer(value.intValue, at);
  if (value.doubleValue !== undefined) return double(value.doubleValue, at);
  const below = (entry: unknown) => valueOf(entry, at, depth + 1);
  if (value.arrayValue !== undefined) {
    return list(object(value.arrayValue, at())?.values, at()).map(below);
  }
  if (value.kvlistValue === undefined) return undefined;
  return new Map(
    list(object(value.kvlistValue, at())?.values, at()).map((entry) => {
      const { key, value } = object(entry, at()) ?? {};
      return [typeof key === "string" ? key : "", below(value)];
    }),
  );
}

/** A number while it is exact, else its digits. */
function integer(given: unknown, at: () => string): number | string {
  if (typeof given === "string" && /^-?\d{1,20}$/.test(given)) {
    const number = Number(given);
    return Number.isSafeInteger(number) ? number : given;
  }
  if (typeof given === "number") return given;
  throw new MalformedRequest(`${at()}.value.intValue must be a whole number`);
}

/** JSON knows the odd ones (`NaN`, `Infinity`) as texts only. */
function double(given: unknown, at: () => string): number {
  const number = typeof given === "string" && given !== "" ? Number(given) : given;
  if (typeof number === "number") return number;
  throw new MalformedRequest(`${at()}.value.doubleValue must be a number`);
}
