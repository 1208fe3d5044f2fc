import type { EntityChange, RemovedField, RemovedLink } from "../change-set.ts";

/** A field row as stored before this chunk. */
export interface StoredFieldType {
  id: number;
  name: string;
  type: string;
  logical_type: string | null;
  is_nullable: boolean;
}

/** For each entity, texts about lost pieces that others may depend on, one text for each piece. */
export function schemaBreaks(
  fields: RemovedField[],
  stored: StoredFieldType[],
  links: RemovedLink[],
): Map<number, string[]> {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const breaks = new Map<number, string[]>();
  const add = (entityId: number, text: string) => {
    const texts = breaks.get(entityId);
    if (texts) texts.push(text);
    else breaks.set(entityId, [text]);
  };
  for (const { datasetId, fieldId, now } of fields) {
    const before = rows.get(fieldId);
    const text = before && lostText(before, now);
    if (text) add(datasetId, text);
  }
  for (const { entityId, kind, catrn } of links) add(entityId, `Missing ${kind}: ${catrn}`);
  return breaks;
}

type FieldType = Pick<StoredFieldType, "type" | "logical_type" | "is_nullable">;

/**
 * Null when the type of the field is unchanged, however it is spelled; changes of its name or key break
 * no consumer.
 */
function lostText(before: StoredFieldType, now: RemovedField["now"]): string | null {
  if (now === null) return `Missing field: ${before.name}`;
  const { type, logical_type, is_nullable } = now.type;
  const later = { type, logical_type: logical_type ?? null, is_nullable };
  const changes = [...typeChange(before, later), ...nullabilityChange(before, later)];
  return changes.length === 0 ? null : `Field ${before.name}: ${changes.join(", ")}`;
}

function typeChange(before: FieldType, now: FieldType): string[] {
  const spelling = ({ logical_type }: FieldType) => typeSpelling(logical_type ?? "");
  if (before.type === now.type && spelling(before) === spelling(now)) return [];
  return [`type changed from ${typeText(before)} to ${typeText(now)}`];
}

/** `varchar(10) (TYPE_STRING)`, or the kind alone where the source names no type. */
function typeText({ type, logical_type }: FieldType): string {
  return logical_type ? `${logical_type} (${type})` : type;
}

function nullabilityChange(before: FieldType, now: FieldType): string[] {
  if (before.is_nullable === now.is_nullable) return [];
  return [now.is_nullable ? "is nullable now" : "is no longer nullable"];
}

/**
 * Names that mean the same type in every system that has both. Left out on purpose, since systems
 * differ: int8 (8 bits or 8 bytes), float and real, text and string, number, datetime, tinyint(1).
 */
const synonyms: [RegExp, string][] = [
  [/\bint4?\b(?!:)/g, "integer"],
  [/\bbool\b(?!:)/g, "boolean"],
  [/\bchar(?:acter)? varying\b(?!:)/g, "varchar"],
  [/\bcharacter\b(?!:)/g, "char"],
  [/\b(?:dec|numeric)\b(?!:)/g, "decimal"],
  [/\b(?:double precision|float8)\b(?!:)/g, "double"],
  [/\b(time|timestamp)(\(\d+\))? ?with time zone\b/g, "$1tz$2"],
  [/\b(time|timestamp)(\(\d+\))? ?without time zone\b/g, "$1$2"],
  // A scale of 0 is the default. How wide an integer is shown says nothing of its values.
  [/\bdecimal\((\d+),0\)/g, "decimal($1)"],
  [/\b(smallint|mediumint|integer|bigint)\(\d+\)/g, "$1"],
];

/**
 * A logical type in one spelling: without regard to case, blanks, quotes around names, and synonyms.
 * Texts in single quotes (values of an enumeration) stay as they are. Two types with the same spelling
 * are the same type.
 */
export function typeSpelling(logicalType: string): string {
  return logicalType.split("'")
    .map((part, at) => (at % 2 === 1 ? part : spelled(part)))
    .join("'").trim();
}

function spelled(text: string): string {
  const plain = text.toLowerCase()
    .replace(/["`]/g, "")
    .replace(/(^|[^\w\])>])\[([a-z_][\w ]*)\]/g, "$1$2")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),:<>[\]=]) ?/g, "$1")
    .replace(/\)(?=\w)/g, ") ");
  return synonyms.reduce((name, [pattern, same]) => name.replace(pattern, same), plain);
}

/** The links of a transformer or consumer before this payload; null for kinds that it did not have. */
export interface StoredLinks {
  id: number;
  sources: string[] | null;
  targets: string[] | null;
  inputs: string[] | null;
}

/**
 * Links that entities had before and have no longer. Microservices are left out: their links follow
 * their traffic, so they come and go.
 */
export function lostLinks(changes: EntityChange[], stored: StoredLinks[]): RemovedLink[] {
  if (stored.length === 0) return [];
  const items = new Map(changes.map(({ id, item }) => [id, item]));
  return stored.flatMap(({ id, sources, targets, inputs }) => {
    const item = items.get(id);
    if (!item || item.type === "MICROSERVICE") return [];
    const { data_transformer: transformer, data_consumer: consumer } = item;
    const lost = (kind: RemovedLink["kind"], before: string[] | null, now: string[] | undefined) =>
      missing(before, now).map((catrn) => ({ entityId: id, kind, catrn }));
    return [
      ...lost("source", sources, transformer?.inputs),
      ...lost("target", targets, transformer?.outputs),
      ...lost("input", inputs, consumer?.inputs),
    ];
  });
}

function missing(before: string[] | null, now: string[] | undefined): string[] {
  const named = new Set(now);
  return [...new Set(before)].filter((catrn) => !named.has(catrn));
}
