import { z } from "@hono/zod-openapi";
import { fitsBytes } from "#contract/ingestion/values.ts";
import { unstorable } from "#contract/text.ts";
import { withoutCredentials, withoutPasswords } from "./credentials.ts";
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
