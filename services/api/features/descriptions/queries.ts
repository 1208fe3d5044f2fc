import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

interface PreviousDescription {
  before: string | null;
}

const setting = (column: "internal_name" | "internal_description") =>
  statement<PreviousDescription>(`entity-set-${column.replace("_", "-")}`)`
  UPDATE data_entity e SET ${column} = $2, updated_at = now()
    FROM data_entity was
   WHERE e.id = $1 AND was.id = e.id AND was.${column} IS DISTINCT FROM $2
  RETURNING was.${column} AS before`;

const setters = {
  internal_name: setting("internal_name"),
  internal_description: setting("internal_description"),
};

/** Sets a text of a locked entity; returns what it was, undefined when it was the same. */
export async function setText(
  tx: Transaction,
  id: number,
  column: keyof typeof setters,
  text: string | null,
): Promise<PreviousDescription | undefined> {
  return (await tx.query(setters[column], [id, text]))[0];
}

const described = statement<JsonRow>("entity-description")`
  SELECT json_build_object('internal_description', coalesce(e.internal_description, ''),
                           'terms', json_terms(e.id))::text AS json
    FROM data_entity e WHERE e.id = $1`;

/** InternalDescription as JSON text. */
export async function descriptionJson(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(described, [id]))[0]!.json;
}
