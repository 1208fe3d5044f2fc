import { createHash } from "node:crypto";

/**
 * One text for equal values: JSON with sorted keys and without undefined members; bigints are
 * written as plain digits.
 */
export function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const member of value) text += text === "" ? canonical(member) : `,${canonical(member)}`;
    return `[${text}]`;
  }
  const object = value as Record<string, unknown>;
  for (const key of sorted(Object.keys(object))) {
    // lookup-ok -- its own keys
    const member = object[key];
    if (member === undefined) continue;
    const name = plain.test(key) ? `"${key}"` : JSON.stringify(key);
    text += `${name}:${canonical(member)},`;
  }
  return `{${text}}`;
}

/** A key that JSON writes as it is. */
const plain = /^\w*$/;

/** Number of keys up to which the plainest way to sort is the quickest. */
const few = 24;

/** Sorts in place, by UTF-16 units. */
function sorted(keys: string[]): string[] {
  if (keys.length > few) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i - 1;
    for (; at >= 0 && keys[at]! > key; at--) keys[at + 1] = keys[at]!;
    keys[at + 1] = key;
  }
  return keys;
}

/** SHA-256 of a text, hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
