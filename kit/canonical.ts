import { createHash } from "node:crypto";

/**
 * One text for equal values: like JSON, with sorted keys, a comma after each member, and without undefined members;
 * bigints are written as plain digits.
 */
export function canonical(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const member of value) text += text === "" ? canonical(member) : `,${canonical(member)}`;
    return `[${text}]`;
  }
  const object = value as Record<string, unknown>;
  const { sorted, names } = orderOf(Object.keys(object));
  for (let i = 0; i < sorted.length; i++) {
    // lookup-ok -- its own keys
    const member = object[sorted[i]!];
    if (member === undefined) continue;
    text += names[i]!;
    text += typeof member === "string" ? `${quoted(member)},` : `${canonical(member)},`;
  }
  return `{${text}}`;
}

/** A text that JSON writes as it is. */
const plain = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Keys of an object, in its own order and sorted; `names` are those of the sorted ones as they are written. */
interface Order {
  keys: string[];
  sorted: string[];
  names: string[];
}

/** The last order of each number of keys: of a list's objects most have the keys of those before. */
const lastOrders: Order[] = [];
/** UTF-16 units of keys beyond which an order is not kept. */
const longestOrder = 2_000;

function orderOf(keys: string[]): Order {
  const last = lastOrders[keys.length];
  if (last?.keys.every((key, i) => key === keys[i])) return last;
  const order = { keys, sorted: sorted([...keys]), names: [] as string[] };
  order.names = order.sorted.map((key) => `${quoted(key)}:`);
  const size = keys.reduce((sum, key) => sum + key.length, 0);
  if (keys.length <= few && size <= longestOrder) lastOrders[keys.length] = order;
  return order;
}

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
