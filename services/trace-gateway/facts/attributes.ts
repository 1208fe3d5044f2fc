import type { Attributes } from "../model.ts";
import type { FactAttribute } from "./fact-attributes.ts";

/** Longest text that is stored of an attribute, characters. */
export const maxText = 256;
/** Characters of a URL or statement that are looked at and not kept; tables stand near the beginning. */
export const maxRaw = 8_192;

// deno-lint-ignore no-control-regex -- exactly these are not to be stored
const controls = /[\u0000-\u001f\u007f]/g;
const odd = /[^\u0020-\u007e]/;

/** A text as the store and the log can hold it: cut, well-formed, without control characters. */
export function clean(text: string, max = maxText): string {
  const cut = text.length > max ? text.slice(0, max) : text;
  return odd.test(cut) ? cut.toWellFormed().replace(controls, "").trim() : cut.trim();
}

/** The first of the attributes that holds a text that is not empty; numbers count as text. */
export function text(attributes: Attributes, ...names: FactAttribute[]): string | null {
  for (const name of names) {
    const found = attributes[name];
    if (found === undefined || typeof found === "boolean") continue;
    const value = clean(typeof found === "object" ? found[0] ?? "" : String(found));
    if (value !== "") return value;
  }
  return null;
}

/** The first of the attributes that holds a text: its first `maxRaw` characters as they came. */
export function raw(attributes: Attributes, ...names: FactAttribute[]): string | null {
  for (const name of names) {
    const found = attributes[name];
    if (typeof found === "string" && found !== "") return found.slice(0, maxRaw);
  }
  return null;
}

/** Maximum number of entries of a list that are looked at. */
export const maxList = 100;

/** A list of texts, or the one text, of an attribute. */
export function list(attributes: Attributes, name: FactAttribute): string[] {
  const found = attributes[name];
  if (found === undefined || typeof found === "boolean") return [];
  const values = typeof found === "object" ? found : [String(found)];
  return values.slice(0, maxList).map((value) => clean(value)).filter((value) => value !== "");
}

/** `host`, or `host:port` when a port is given; an IPv6 host is then in brackets. */
export function hostAndPort(host: string | null, port: string | null): string | null {
  if (host === null) return null;
  const name = host.toLowerCase();
  if (port === null || !/^[1-9]\d{0,4}$/.test(port)) return name;
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
}
