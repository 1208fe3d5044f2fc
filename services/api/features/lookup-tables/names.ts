import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Longest name of a table or column in PostgreSQL, bytes. */
const longest = 63;

/**
 * The form in which names are compared: in lower case, blanks as underscores. Names that have the same are the
 * same name.
 */
export function normalised(name: string): string {
  return name.trim().normalize("NFC").toLowerCase().replace(/\s+/gu, "_");
}

/** The physical name of a table; its id makes it unique forever, so that nothing is ever renamed. */
export function physicalTable(namespace: number, name: string, id: number): string {
  return physical(`n_${namespace}__${normalised(name)}`, id);
}

/** The physical name of a column. */
export function physicalColumn(name: string, id: number): string {
  return physical(normalised(name), id);
}

/** The name, cut to what PostgreSQL takes; what was cut off stands in a digest. */
function physical(name: string, id: number): string {
  const ending = `__${id}`;
  if (Buffer.byteLength(name + ending) <= longest) return name + ending;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${cut(name, longest - ending.length - digest.length - 1)}_${digest}${ending}`;
}

/** The longest beginning of at most so many bytes that ends with a whole character. */
function cut(text: string, bytes: number): string {
  let result = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    result += character;
  }
  return result;
}
