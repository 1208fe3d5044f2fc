import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import { parseTime, realDate } from "./dates.ts";
import { decimalBytes, jsonBytes, jsonFault } from "./json-cells.ts";

/** How the cells of a type are stored, shown and read. SQL fragments are constants. */
export interface FieldType {
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
