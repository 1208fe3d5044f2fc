import type { Database } from "#metadata/postgres/database.ts";

/** How a database stands. */
export interface DatabaseState {
  bytes: number;
  /** Bytes of the packaged event log; on Kafka the log is elsewhere. */
  log_bytes: number;
  /** The highest share of dead rows among tables of more than ten thousand rows, as PostgreSQL estimates it. */
  dead_share: number;
  dead_table: string;
  autovacuums: number;
  /** Rows of the feed of changes, and of the outbox of lineage. */
  changes: number;
  outbox: number;
}

const state = `
  SELECT pg_database_size(current_database())::float8 AS bytes,
         coalesce((SELECT sum(pg_total_relation_size(relid))::float8 FROM pg_stat_user_tables
                    WHERE relname LIKE 'log\\_record%'), 0) AS log_bytes,
         coalesce(d.share, 0) AS dead_share, coalesce(d.relname, '') AS dead_table,
         (SELECT sum(autovacuum_count)::integer FROM pg_stat_user_tables) AS autovacuums,
         (SELECT n_live_tup::float8 FROM pg_stat_user_tables WHERE relname = 'change') AS changes,
         (SELECT n_live_tup::float8 FROM pg_stat_user_tables WHERE relname = 'lineage_outbox') AS outbox
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT relname, n_dead_tup::float8 / greatest(n_live_tup, 1) AS share
        FROM pg_stat_user_tables WHERE n_live_tup > 10000 ORDER BY 2 DESC LIMIT 1) d ON true`;

export async function databaseState(db: Database): Promise<DatabaseState> {
  return (await db.query<DatabaseState>(state))[0]!;
}

/** Random ids of entities that have lineage. */
export async function randomEntities(db: Database, count: number): Promise<number[]> {
  const [most] = await db.query<{ max: number }>("SELECT max(parent_id) AS max FROM lineage_edge");
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT (SELECT parent_id FROM lineage_edge WHERE parent_id >= at ORDER BY parent_id LIMIT 1) AS id
       FROM unnest($1::bigint[]) at`,
    [Array.from({ length: count }, () => Math.floor(Math.random() * (most!.max ?? 1)))],
  );
  return rows.map(({ id }) => id);
}
