import { Buffer } from "node:buffer";
import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import { unstorable } from "#contract/text.ts";
import { bounded } from "#kit/text.ts";
import { maxCellBytes, maxCellDepth, maxUniqueBytes } from "./limits.ts";
import type { Column } from "./structure.queries.ts";

/** How the cells of a type are stored, shown and read. SQL fragments are constants. */
interface FieldType {
  /** Type in PostgreSQL. */
  storage: string;
  /** Type of the field of the dataset. */
  field: string;
  /** The text of a cell; null when it is invalid for the type. `text` is neither blank nor unstorable. */
  read: (text: string) => string | null;
  /** What is allowed, for messages. */
  allowed: string;
  /** SQL of the text of a column. */
  shown: (column: string) => string;
  /** Maximum number of bytes of what is shown of the text of a cell; unset: those of the text. */
  bytes?: (value: string) => number;
  /** Whether programs that read CSV files may take a cell for a formula. */
  text?: true;
  /** Whether the text is a literal of JSON as it stands. */
  literal?: true;
}

const asText = (column: string) => `${column}::text`;

function integer(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,40}$/.test(trimmed)) return null;
  const value = BigInt(trimmed.replace(/^\+/, ""));
  return value >= -(2n ** 31n) && value < 2n ** 31n ? String(value) : null;
}

/** All digits are stored; the exponent is bounded, since a few letters could stand for a megabyte of them. */
function decimal(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 1_000) return null;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed) ? trimmed : null;
}

const truths = new Map<string, string>([
  ...["true", "t", "yes", "y", "on", "1"].map((word) => [word, "true"] as const),
  ...["false", "f", "no", "n", "off", "0"].map((word) => [word, "false"] as const),
]);

function uuid(text: string): string | null {
  const lower = text.trim().toLowerCase();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower) ? lower : null;
}

const whole = { storage: "integer", field: "TYPE_INTEGER", read: integer, shown: asText } as const;
const wholeAllowed = "a whole number from -2147483648 to 2147483647";

/** Why PostgreSQL would not keep a text as JSON; undefined when it would. */
function jsonFault(text: string): string | undefined {
  const { structure, strings } = splitStrings(text);
  if (depthOf(structure) > maxCellDepth) return `is nested deeper than ${maxCellDepth}`;
  if (/\d[eE][+-]?\d{4}/.test(structure)) return "has a number with a larger exponent than 999";
  try {
    JSON.parse(text);
    // Every string, also of members that a later one of the same name replaces.
    for (const string of strings) {
      const fault = unstorable(JSON.parse(string));
      if (fault) return fault;
    }
  } catch {
    return "is no JSON";
  }
}

/**
 * Most bytes in which PostgreSQL shows a text that it keeps as JSON: numbers without exponents, a blank after each
 * comma and colon.
 */
function jsonBytes(text: string): number {
  const { structure } = splitStrings(text);
  const blanks = (structure.match(/[,:]/g) ?? []).length;
  const numbers = structure.split(/[\s,:[\]{}]/).filter((word) => /^[-\d].*[eE]/.test(word));
  return numbers.reduce(
    (bytes, number) => bytes + decimalBytes(number) - number.length,
    Buffer.byteLength(text) + blanks,
  );
}

/** Maximum number of bytes in which PostgreSQL shows a decimal number, which is without an exponent. */
function decimalBytes(number: string): number {
  const exponent = /e([+-]?\d+)$/i.exec(number)?.[1] ?? "0";
  return number.length + 1 + Math.abs(Number(exponent));
}

/** The text without what stands in quotes, and what stands there. */
function splitStrings(text: string): { structure: string; strings: string[] } {
  let structure = "";
  const strings: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') {
      structure += text[at];
      continue;
    }
    const end = endOfString(text, at);
    strings.push(text.slice(at, end + 1));
    at = end;
  }
  return { structure, strings };
}

/** The place of the quote that ends the string which begins at `start`; that of the end when none does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function depthOf(structure: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of structure) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}

/** The date, when it is one of years 1 to 9999; else null. */
function realDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Days that a month has not would be those of the next one.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** The time of a day without a zone, when there is such a one; else null. */
function parseTime(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d{1,6})?$/.exec(text);
  if (!match || realDate(match[1]!) === null) return null;
  const [hours, minutes, seconds] = match.slice(2, 5).map(Number) as [number, number, number];
  return hours < 24 && minutes < 60 && seconds < 60 ? text : null;
}

export const types: Record<LookupFieldType, FieldType> = {
  VARCHAR: {
    storage: "varchar",
    field: "TYPE_CHAR",
    read: (text) => text,
    allowed: "any text",
    shown: asText,
    text: true,
  },
  INTEGER: { ...whole, allowed: wholeAllowed, literal: true },
  SERIAL: { ...whole, allowed: `${wholeAllowed}, or nothing for the next number`, literal: true },
  DECIMAL: {
    storage: "numeric",
    field: "TYPE_NUMBER",
    read: decimal,
    allowed: "a decimal number of at most 1000 characters, its exponent of at most 3 digits",
    shown: asText,
    bytes: decimalBytes,
    literal: true,
  },
  BOOLEAN: {
    storage: "boolean",
    field: "TYPE_BOOLEAN",
    read: (text) => truths.get(text.trim().toLowerCase()) ?? null,
    allowed: "true, yes, on, t, y, 1 or false, no, off, f, n, 0",
    shown: asText,
    literal: true,
  },
  DATE: {
    storage: "date",
    field: "TYPE_DATETIME",
    read: (text) => realDate(text.trim()),
    allowed: "a date as yyyy-MM-dd",
    shown: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
  },
  TIME: {
    storage: "timestamp",
    field: "TYPE_TIME",
    read: (text) => parseTime(text.trim()),
    allowed: "a time as yyyy-MM-dd HH:mm:ss, with up to 6 digits of a second",
    shown: (column) => `rtrim(rtrim(to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US'), '0'), '.')`,
  },
  JSON: {
    storage: "jsonb",
    field: "TYPE_STRUCT",
    read: (text) => (jsonFault(text) ? null : text),
    allowed: "JSON that PostgreSQL can keep",
    shown: asText,
    bytes: jsonBytes,
    text: true,
    literal: true,
  },
  UUID: {
    storage: "uuid",
    field: "TYPE_CHAR",
    read: uuid,
    allowed: "a UUID",
    shown: asText,
  },
};

/** What a cell holds and most bytes in which it is shown, or what is wrong with what was given for it. */
type Cell = { value: string | null; bytes: number } | { fault: string };

/** The column as far as it decides what a cell may hold. */
type CellColumn = Pick<Column, "name" | "type" | "nullable" | "unique">;

/**
 * What is given for a cell. Blank is nothing; nothing is refused where the column must hold something, unless
 * the column numbers itself.
 */
export function readCell(column: CellColumn, given: string | null): Cell {
  if (given === null || given.trim() === "") {
    if (column.nullable || column.type === "SERIAL") return { value: null, bytes: 0 };
    return { fault: `column "${column.name}" must not be empty` };
  }
  return readValue(column, given);
}

/** A value that is not blank, as it is stored. */
function readValue({ name, type, unique }: CellColumn, given: string): Cell {
  const why = unstorable(given);
  if (why) return { fault: `column "${name}" ${why}` };
  const max = unique ? maxUniqueBytes : maxCellBytes;
  const at = unique ? " as long as it is unique" : "";
  const fault = `column "${name}" must hold at most ${max} bytes in a cell${at}`;
  if (Buffer.byteLength(given) > max) return { fault };
  const value = types[type].read(given);
  if (value === null) {
    const shown = JSON.stringify(bounded(given, 80));
    return { fault: `${shown} is no ${type} (column "${name}"): must be ${types[type].allowed}` };
  }
  const bytes = bytesOf(type, value);
  return bytes > max ? { fault } : { value, bytes };
}

/** Maximum number of bytes in which a cell is shown: a few of a number may become a thousand. */
export function bytesOf(type: CellColumn["type"], value: string | null): number {
  return value === null ? 0 : types[type].bytes?.(value) ?? Buffer.byteLength(value);
}
