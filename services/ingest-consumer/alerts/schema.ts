import type { LostField, LostLink } from "./signals.ts";

/** A field row as stored before this part. */
export interface HeldFieldType {
  id: number;
  name: string;
  type: string;
  logical_type: string | null;
  is_nullable: boolean;
}

/** For each entity, texts about lost pieces that others may depend on, one text for each piece. */
export function schemaBreaks(
  fields: LostField[],
  held: HeldFieldType[],
  links: LostLink[],
): Map<number, string[]> {
  const rows = new Map(held.map((row) => [row.id, row]));
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

/** Null when the type of the field is unchanged; changes of its name or key break no consumer. */
function lostText(before: HeldFieldType, now: LostField["now"]): string | null {
  if (now === null) return `Missing field: ${before.name}`;
  const { type, logical_type, is_nullable } = now.type;
  const then = typeText(before);
  const later = typeText({ type, logical_type: logical_type ?? null, is_nullable });
  return then === later ? null : `Missing field: ${before.name} (was ${then}, is ${later})`;
}

function typeText(type: Pick<HeldFieldType, "type" | "logical_type" | "is_nullable">): string {
  const logical = type.logical_type === null ? "" : ` "${type.logical_type}"`;
  return `${type.type}${logical} ${type.is_nullable ? "nullable" : "not nullable"}`;
}
