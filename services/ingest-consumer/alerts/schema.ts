import { typeSpelling } from "./type-names.ts";
import type { RemovedField, RemovedLink } from "./signals.ts";

/** A field row as stored before this part. */
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
