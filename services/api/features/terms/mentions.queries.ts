import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Mention } from "#services/api/features/terms/mentions.ts";

const replacing = (table: string, key: string) =>
  statement(`${table.replace("_", "-")}-replace`)`
  WITH wanted AS (
    SELECT * FROM unnest($2::text[], $3::text[]) AS w (namespace, name)
  ), gone AS (
    DELETE FROM ${table} m WHERE m.${key} = $1
       AND NOT EXISTS (SELECT FROM wanted w WHERE (w.namespace, w.name) = (m.namespace, m.name)))
  INSERT INTO ${table} (${key}, namespace, name)
  SELECT $1, namespace, name FROM wanted ON CONFLICT DO NOTHING`;

const statements = {
  data_entity: replacing("entity_mention", "entity_id"),
  dataset_field: replacing("field_mention", "field_id"),
  term: replacing("term_mention", "term_id"),
};

/** What has a text that can mention terms. */
export interface Mentioning {
  kind: keyof typeof statements;
  id: number;
}

/** Makes these the mentions of a text; `of` is locked. */
export async function replaceMentions(tx: Transaction, of: Mentioning, mentions: Mention[]) {
  await tx.query(statements[of.kind], [
    of.id,
    mentions.map(({ namespace }) => namespace),
    mentions.map(({ name }) => name),
  ]);
}
