import { statement } from "#metadata/postgres/statement.ts";
import type { PublisherDeps } from "./deps.ts";

/** Maximum number of names resolved again in one sweep, and of entities deleted at a time. */
const limits = { names: 10_000, forgotten: 5_000 };

/** Milliseconds after which a name without a collector's dataset is resolved again. */
const unsureMs = 5 * 60 * 1_000;

/** $1 when those were last looked for that are looked for now, $2 limit. */
const markForRecheck = statement("dh-mark-for-recheck")`
  UPDATE dh_entity SET dirty = dirty + 1, resolved_at = NULL WHERE key IN (
    SELECT key FROM dh_entity WHERE match IN ('loose', 'template') AND resolved_at < $1::bigint
     ORDER BY resolved_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`;

/** $1 before when they changed, $2 limit: names that nothing names, and entities that were removed or deleted. */
const forget = statement<{ count: number }>("dh-forget")`
  WITH gone AS (
    DELETE FROM dh_entity WHERE key IN (
      SELECT key FROM dh_entity t
       WHERE t.posted = '{}' AND t.updated_at < $1 AND t.dirty = 0
         AND (CASE WHEN t.last_seen IS NULL
                   THEN NOT EXISTS (SELECT FROM dh_reference r WHERE r.named = t.key)
                   ELSE NOT EXISTS (SELECT FROM dh_aspect a WHERE a.urn = t.key
                                     AND (a.value IS NOT NULL OR a.steps IS NOT NULL) AND a.aspect <> 'status')
                        OR EXISTS (SELECT FROM dh_aspect a WHERE a.urn = t.key AND a.aspect = 'status'
                                    AND a.value = '{"removed":true}') END)
       ORDER BY t.updated_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** Resolves again names that were not found for certain, and forgets what was removed for `datahub.ttl`. */
export async function sweep({ db, clock, config, log }: PublisherDeps): Promise<void> {
  const now = clock.now();
  await db.query(markForRecheck, [now - unsureMs, limits.names]);
  const [row] = await db.query(forget, [new Date(now - config.ttl), limits.forgotten]);
  if (row!.count > 0) log.info("state of DataHub forgotten", { entities: row!.count });
}
