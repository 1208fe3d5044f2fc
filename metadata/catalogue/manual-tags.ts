import type { TagState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** The tags that people set on something, in addition to those of collectors. */
interface ManualTags {
  /** All tags of it, as the activity feed lists them. */
  states(tx: Transaction, id: number): Promise<TagState[]>;
  /** Makes these, without those that a collector set, the tags that it has by hand; it must be locked. */
  put(tx: Transaction, id: number, tags: number[]): Promise<void>;
}

export function tagsByHand(of: "entity" | "field"): ManualTags {
  const [table, column] = [`${of}_tag`, `${of}_id`];
  const states = statement<{ tags: TagState[] }>(`${of}-tag-states`)`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important)
                           ORDER BY t.important DESC, t.name), '[]') AS tags
    FROM tag t WHERE t.id IN (SELECT x.tag_id FROM ${table} x WHERE x.${column} = $1)`;
  // A tag that a collector set stays one of the collector's alone when the form lists it.
  const put = statement(`${of}-put-tags`)`
  WITH gone AS (
    DELETE FROM ${table}
     WHERE ${column} = $1 AND origin = 'INTERNAL' AND tag_id <> ALL($2::bigint[]))
  INSERT INTO ${table} (${column}, tag_id, origin)
  SELECT DISTINCT $1::bigint, w.id, 'INTERNAL' FROM unnest($2::bigint[]) AS w (id)
   WHERE NOT EXISTS (SELECT FROM ${table} x WHERE x.${column} = $1 AND x.tag_id = w.id)`;
  return {
    states: async (tx, id) => (await tx.query(states, [id]))[0]!.tags,
    put: async (tx, id, tags) => void await tx.query(put, [id, tags]),
  };
}
