import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, writeRows } from "../change-set.ts";
import { tagNames } from "../posted-item.ts";
import { bigint } from "../statement.ts";

/** Replaces the entity's external tags by those of the payload. */
export async function writeTags(tx: Transaction, set: ChangeSet): Promise<void> {
  await writeRows(
    tx,
    set,
    { insert, replace },
    (changes) =>
      changes.flatMap(({ id, item }) =>
        tagNames(item.tags).map((name) => ({ id, tagId: set.names.tagIds.get(name)! }))
      ),
    bigint((tag) => tag.id),
    bigint((tag) => tag.tagId),
  );
}

/** $1 entities without tags, $2 tags as posted, which may be one tag in two spellings. */
const insert = statement("ingest-insert-entity-tags")`
  INSERT INTO entity_tag (entity_id, tag_id, origin)
  SELECT entity_id, tag_id, 'EXTERNAL' FROM unnest($1::bigint[], $2::bigint[]) AS w (entity_id, tag_id)
  ON CONFLICT DO NOTHING`;

/** $1 entities with earlier rows, $2 entities and $3 tags as posted. Tags that users added stay. */
const replace = statement("ingest-replace-entity-tags")`
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS w (entity_id, tag_id)),
   gone AS (
     DELETE FROM entity_tag x WHERE x.entity_id = ANY($1::bigint[]) AND x.origin = 'EXTERNAL'
       AND NOT EXISTS (
         SELECT FROM wanted w WHERE w.entity_id = x.entity_id AND w.tag_id = x.tag_id))
   INSERT INTO entity_tag (entity_id, tag_id, origin)
   SELECT entity_id, tag_id, 'EXTERNAL' FROM wanted
   ON CONFLICT DO NOTHING`;
