import { z } from "@hono/zod-openapi";
import { fitsBytes } from "#contract/ingestion/values.ts";
import { unstorable } from "#contract/text.ts";
import { takingPlain } from "./lenient.ts";
import {
  maxFieldNameBytes,
  maxNameBytes,
  maxNamespaceBytes,
  maxRunIdBytes,
  maxTextBytes,
} from "./limits.ts";

const encoder = new TextEncoder();
const buffer = new Uint8Array(maxTextBytes);

/** The beginning of `text` that takes at most `maxTextBytes`. */
function cut(text: string): string {
  if (text.length * 3 <= maxTextBytes) return text;
  return text.slice(0, encoder.encodeInto(text, buffer).read);
}

/** What PostgreSQL cannot store is replaced. */
const repaired = (text: string) => text.replaceAll("\0", "\ufffd").toWellFormed();

/** Some producers write numbers and truth values where the specification wants text. */
const asText = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

const string = z.string({ error: "must be text" });

/** Text for people: truncated to `maxTextBytes`, repaired, and without passwords in addresses. */
export const Text = takingPlain(z.preprocess(
  asText,
  string.overwrite((text) => cut(withoutPasswords(repaired(text)))),
));

/** An address, without credentials and query. */
export const Uri = takingPlain(
  string.overwrite((text) => cut(withoutCredentials(repaired(text)))),
);

/** A text that identifies something: it is accepted unchanged, or not at all. */
function identifier(maxBytes: number) {
  return string.min(1, { error: "must not be empty" })
    .refine((text) => fitsBytes(text, maxBytes), {
      error: `must be at most ${maxBytes} bytes of UTF-8`,
    })
    .refine((text) => unstorable(text) === undefined, {
      error: ({ input }) => unstorable(input as string),
    });
}

export const RunId = takingPlain(identifier(maxRunIdBytes));
export const FieldName = takingPlain(identifier(maxFieldNameBytes));

/** A namespace or name; credentials are left out wherever one is given, so that equal ones stay equal. */
export const Namespace = takingPlain(
  string.overwrite(withoutCredentials).pipe(identifier(maxNamespaceBytes)),
);
export const Name = takingPlain(
  string.overwrite(withoutCredentials).pipe(identifier(maxNameBytes)),
);

/** A short word that values are compared with, such as `BATCH`; in upper case. */
export const Word = z.preprocess(
  asText,
  string.overwrite((text) => repaired(text).trim().toUpperCase())
    .max(200, { error: "must be at most 200 long" }),
);

/** A whole number. */
export const Whole = z.int({ error: "must be a whole number" });
/** Any number. */
export const Num = z.number({ error: "must be a number" });
export const Flag = z.boolean({ error: "must be true or false" });

/** Schemes of addresses that carry properties behind semicolons: `sqlserver://h:1433;password=…`. */
const withProperties = /^(?:jdbc:|mssql:|sqlserver:)/i;

/**
 * The address without `user:password@` and without its query; text that is no address (`scheme://…`)
 * stays as it is. A user alone stays too, since it may be the container of
 * `abfss://container@account`.
 */
export function withoutCredentials(text: string): string {
  if (/^jdbc:oracle:/i.test(text)) return withoutOracleUser(text);
  const start = text.indexOf("://");
  if (start < 1 || /[\s/?#@]/.test(text.slice(0, start))) return text;
  const from = start + 3;
  const cleaned = text.slice(0, from) + withoutPassword(text.slice(from));
  const path = withProperties.test(cleaned) ? cleaned.split(";", 1)[0]! : cleaned;
  return path.split("?", 1)[0]!;
}

/** `jdbc:oracle:thin:scott/tiger@//host:1521/service` without what stands before the `@`. */
function withoutOracleUser(text: string): string {
  const at = text.lastIndexOf("@");
  const [jdbc, oracle, driver] = text.split(":", 3);
  const path = at < 0 ? text : `${jdbc}:${oracle}:${driver}:${text.slice(at)}`;
  return path.split("?", 1)[0]!;
}

/** `rest` is what follows `://`. */
function withoutPassword(rest: string): string {
  const authority = authorityOf(rest);
  const at = authority.lastIndexOf("@");
  const bare = at >= 0 && authority.slice(0, at).includes(":") ? rest.slice(at + 1) : rest;
  // A password may hold a slash although it should not: then no port follows the colon.
  return endsInPort(authorityOf(bare)) ? bare : bare.slice(bare.lastIndexOf("@") + 1);
}

function authorityOf(rest: string): string {
  const end = rest.search(/[/?#]/);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Whether what follows the first colon is a port, or there is none. */
function endsInPort(authority: string): boolean {
  const colon = authority.indexOf(":");
  if (colon < 0 || authority.startsWith("[") || authority.includes("@")) return true;
  return /^\d*(?:[,;]|$)/.test(authority.slice(colon + 1));
}

/** Free text in which addresses lose their `user:password@`. */
export function withoutPasswords(text: string): string {
  if (!text.includes("@") || !text.includes("://")) return text;
  const pieces = text.split("://");
  return pieces.map((piece, index) => (index === 0 ? piece : withoutUser(piece))).join("://");
}

/** Looks at the beginning of `piece` only, up to what ends an authority. */
function withoutUser(piece: string): string {
  const end = piece.search(/[\s/?#"'`<>,;)]/);
  const authority = end < 0 ? piece : piece.slice(0, end);
  const at = authority.lastIndexOf("@");
  return at >= 0 && authority.slice(0, at).includes(":") ? piece.slice(at + 1) : piece;
}
