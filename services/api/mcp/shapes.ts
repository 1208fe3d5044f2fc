import { z } from "@hono/zod-openapi";
import { Buffer } from "node:buffer";
import { entityTypeNames } from "#contract/entities.ts";
import { unstorable } from "#contract/text.ts";
import { badRequest } from "#kit/errors.ts";
import { digestOf } from "#kit/secret.ts";
import { bounded } from "#kit/text.ts";
import {
  comparedCharacters,
  maxAnswer,
  maxArgument,
  maxListed,
  maxPattern,
  shownCharacters,
} from "#services/api/mcp/limits.ts";

/** A text that the catalogue is searched for. */
const Storable = z.string().max(maxArgument)
  .refine((text) => unstorable(text) === undefined, { error: "must be text without NUL" });
export const Text = Storable.min(1);

/** The name of a column as it is: with commas, blanks, or empty. */
export const ColumnName = Storable;

/** An entity, as assistants name it. */
export const Ref = z.union([Text, z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)], {
  error: "must be the id, the CATRN, the exact name or a qualified name of an entity",
}).describe(
  "Id, CATRN (//system/…), exact name or qualified name (schema.table, database.schema.table) of an entity",
);

export const Types = z.array(z.enum(entityTypeNames)).max(maxListed);
export const NamePattern = Text.max(maxPattern).describe(
  "Part of the name, whatever its case; with * (any characters) or ? (any one) all of the name",
);
export const Cursor = Text.describe("Where to go on: the cursor of the answer before");
export const Direction = z.enum(["upstream", "downstream"]).describe(
  "upstream: what it is made of; downstream: what is made of it",
);

/** How many items of a list are answered. */
export const limitOf = (max: number, standard: number) =>
  z.number().int().min(1).max(max).default(standard);
export const depthOf = (max: number, standard: number) =>
  z.number().int().min(1).max(max).default(standard).describe("Edges to follow at most");

const Id = z.number().int();
export const Total = z.number().int().min(0);

/** An entity at a glance. Its type is null for one that is only known by its CATRN. */
export const Entity = z.object({
  id: Id,
  catrn: z.string(),
  name: z.string(),
  type: z.string().nullable(),
});
/** An entity within a list of many. */
export const ShortEntity = Entity.omit({ catrn: true });
export const NamedEntity = z.object({ id: Id, name: z.string() });

/** How whole an answer is that rests on lineage. */
export const whole = {
  complete: z.boolean().describe(
    "false: a budget (lineage.max-nodes, lineage.timeout) ended the walk, totals are lower bounds",
  ),
  position: z.number().int().describe("How far the lineage had come; grows with every change"),
};
export const NextCursor = z.string().nullable().describe("Give it to get the next; null: no more");
export const ByType = z.record(z.string(), Total);

/** Texts of others, as long as they are shown. */
export const shownName = (text: string) => bounded(text, shownCharacters.name);
export const shownDescription = (text: string | null) =>
  text === null ? null : bounded(text, shownCharacters.description);
export const shownText = (text: string | null) =>
  text === null ? null : bounded(text, shownCharacters.text);

/**
 * A pattern of LIKE for a name pattern, to be compared with text in lower case; `*` and `?` are wildcards, and without
 * any the text may stand anywhere.
 */
export function likePattern(given: string): string {
  const escaped = given.replace(/\*+/g, "*").replace(/[\\%_]/g, "\\$&");
  return /[*?]/.test(given) ? escaped.replaceAll("*", "%").replaceAll("?", "_") : `%${escaped}%`;
}

/** SQL of the beginning of a text; what is longer than is shown is seen to be. */
export const start = (of: string, characters: number = shownCharacters.text) =>
  `left(${of}, ${characters + 1})`;

/** SQL of as much of a name as is compared with a pattern. */
export const compared = (of: string) => `left(${of}, ${comparedCharacters})`;

/** SQL of what people call an entity: its CATRN when nobody gave it a name. */
export const nameOf = (e: string) =>
  start(`coalesce(${e}.internal_name, ${e}.external_name, ${e}.catrn)`, shownCharacters.name);

/** SQL of the beginning of its description, or null. */
export const descriptionOf = (e: string) =>
  start(
    `coalesce(${e}.internal_description, ${e}.external_description)`,
    shownCharacters.description,
  );

/** SQL of the name of its type, or null. */
export const typeOf = (e: string) => `json_type(${e}.type_id) ->> 'name'`;

const cursorForm = /^([A-Za-z0-9_-]{12})\.(\d{1,9})$/;

/** A cursor to the items after the first `offset`; null when there are no more. */
export function cursorTo(tool: string, given: object, offset: number, total: number) {
  return offset < total ? `${queryMark(tool, given)}.${offset}` : null;
}

/** The offset of a cursor. Throws 400 for a cursor of another query. */
export function offsetOf(tool: string, given: { cursor?: string }): number {
  if (given.cursor === undefined) return 0;
  const [, mark, offset] = cursorForm.exec(given.cursor) ?? [];
  if (mark === queryMark(tool, given)) return Number(offset);
  const message = "is of another question: give the arguments that it came with, or leave it out";
  throw badRequest(`cursor ${message}`, [{ field: "cursor", message }]);
}

/** Identity of a query: its tool and its arguments, without the cursor. */
function queryMark(tool: string, given: object): string {
  const { cursor: _, limit: __, ...args } = given as { cursor?: unknown; limit?: unknown };
  return Buffer.from(digestOf(JSON.stringify([tool, args]))).toString("base64url").slice(0, 12);
}

/** Room for a cursor, and for numbers that grow. */
const spareBytes = 400;

/** The first items that fit into a response with `around`, which is the response without them. */
export function fitting<T>(items: readonly T[], around: unknown, max = maxAnswer): T[] {
  let capacity = max - spareBytes - bytesOf(around);
  const fitted: T[] = [];
  for (const item of items) {
    capacity -= bytesOf(item) + 1;
    if (capacity < 0) break;
    fitted.push(item);
  }
  return fitted;
}

/** Bytes of a value as JSON. */
export const bytesOf = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value)).length;

/** A part of an answer whose items may be left out: their total stays. */
export interface ListSection {
  total: number;
  items: unknown[];
}

/** Leaves items out of the parts, always of the one with the most bytes, until all of them fit into `capacity` bytes. */
export function fitSections(sections: ListSection[], capacity: number): void {
  const sizes = new Map(
    sections.map((section) => [section, section.items.map((item) => bytesOf(item) + 1)]),
  );
  const sizeOf = (section: ListSection) => sizes.get(section)!.reduce((sum, size) => sum + size, 0);
  const totals = new Map(sections.map((section) => [section, sizeOf(section)]));
  let over = [...totals.values()].reduce((sum, size) => sum + size, 0) - capacity;
  while (over > 0) {
    const largest = sections.reduce((a, b) => (totals.get(b)! > totals.get(a)! ? b : a));
    const last = sizes.get(largest)!.pop();
    if (last === undefined) return;
    largest.items.pop();
    totals.set(largest, totals.get(largest)! - last);
    over -= last;
  }
}
