import type { Queryable } from "#metadata/postgres/database.ts";

/** Reads of a dataset in the last three days, counted by a connection to its source. */
export async function seedUsage(db: Queryable, entity: number, reads: number): Promise<void> {
  await db.query(
    `WITH c AS (
       INSERT INTO connection (name, connector, settings, source_catrn, paused, usage_at)
       SELECT 'usage of ' || $1, 'postgresql', '{}', coalesce(s.catrn, '//usage/' || $1), true, now()
         FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id WHERE e.id = $1::bigint
       RETURNING id),
     d AS (
       INSERT INTO connection_usage_day (connection_id, day, from_at, until_at)
       SELECT id, current_date, now() - interval '3 days', now() FROM c)
     INSERT INTO entity_usage (entity_id, connection_id, reads) SELECT $1::bigint, id, $2 FROM c`,
    [entity, reads],
  );
}
