import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, writeRows } from "../change-set.ts";
import { fieldKey, metadataEntries } from "../posted-item.ts";
import { bigint, text } from "../statement.ts";

/** Replaces the entity's external metadata by the first extension of the payload. */
export async function writeMetadata(tx: Transaction, set: ChangeSet): Promise<void> {
  await writeRows(
    tx,
    set,
    { insert, replace },
    (changes) =>
      changes.flatMap(({ id, item }) =>
        metadataEntries(item.metadata).map(({ name, type, text }) => ({
          id,
          fieldId: set.names.fieldIds.get(fieldKey(name, type))!,
          text,
        }))
      ),
    bigint((value) => value.id),
    bigint((value) => value.fieldId),
    text((value) => value.text),
  );
}

/** $1 entities without metadata, $2 fields and $3 values as posted. */
const insert = statement("ingest-insert-metadata")`
  INSERT INTO metadata_value (entity_id, field_id, value)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])`;

/** $1 entities with earlier rows, $2 entities, $3 fields and $4 values as posted. */
const replace = statement("ingest-replace-metadata")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS w (entity_id, field_id, value)),
   gone AS (
     DELETE FROM metadata_value v USING metadata_field f
      WHERE v.entity_id = ANY($1::bigint[]) AND f.id = v.field_id AND f.origin = 'EXTERNAL'
        AND NOT EXISTS (
          SELECT FROM wanted w WHERE w.entity_id = v.entity_id AND w.field_id = v.field_id))
   INSERT INTO metadata_value AS v (entity_id, field_id, value)
   SELECT entity_id, field_id, value FROM wanted
   ON CONFLICT (entity_id, field_id) DO UPDATE SET value = excluded.value
     WHERE v.value <> excluded.value`;
