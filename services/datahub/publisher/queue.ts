import { statement } from "#metadata/postgres/statement.ts";
import type { QueueDeps } from "#platform/composed-source/deps.ts";
import {
  type ClaimedRow,
  queueStatements,
  takenFrom,
} from "#platform/composed-source/queue.queries.ts";
import type { SourceNaming } from "#platform/composed-source/queue.ts";
import type { Config } from "#platform/config/schema.ts";
import type { NamingMemory } from "#platform/naming/catalogue.ts";
import { type DatahubNaming, datahubRoot, platformCatrn } from "#platform/naming/datahub/names.ts";

export type Table = "dh_entity";

/** What the publisher works with. */
export interface PublisherDeps extends QueueDeps<Table> {
  config: Config["datahub"];
  naming: DatahubNaming;
  memory: NamingMemory;
}

/** Under which namespace warnings of DataHub are listed. */
export const warningNamespace = "datahub";

/** The statements with which entities are taken, posted and removed; what another entity is posted as is retained. */
export const queue = queueStatements<Table>({
  prefix: "dh",
  tables: ["dh_entity"],
  leaving: "dh_leaving",
  further: ["dh_follower", "dh_term_link WHERE due_at <= now()"],
  retained:
    "EXISTS (SELECT FROM dh_entity m WHERE m.posted <> '{}' AND m.posted @> ARRAY[l.catrn])",
});

export type ClaimedEntity = ClaimedRow & {
  type: string;
  catrn: string | null;
  /** CATRNs of what was posted of it. */
  posted: string[];
};

const claimedColumns =
  `key, '' AS state, dirty, last_seen, posted_hash, posted_at, received_at, type, catrn, posted`;

/** Datasets, which others name, and all others. */
export const takeDatasets = statement<ClaimedEntity>("dh-take-datasets")`
  SELECT ${claimedColumns} ${takenFrom("dh_entity", "type = 'dataset'")}`;
export const takeOthers = statement<ClaimedEntity>("dh-take-others")`
  SELECT ${claimedColumns} ${takenFrom("dh_entity", "type <> 'dataset'")}`;

/** $1 urns, $2 CATRNs, $3 how they were found, $4 now. */
export const named = statement("dh-named")`
  UPDATE dh_entity t SET catrn = n.catrn, match = n.match, resolved_at = $4::bigint
    FROM unnest($1::text[], $2::text[], $3::text[]) AS n (key, catrn, match) WHERE t.key = n.key`;

/** $1 urns, $2 JSON lists of the CATRNs that they are posted as. */
export const postedAs = statement("dh-posted-as")`
  UPDATE dh_entity t SET posted = ARRAY(SELECT json_array_elements_text(n.posted::json))
    FROM unnest($1::text[], $2::text[]) AS n (key, posted) WHERE t.key = n.key`;

/** Most platforms that get a data source of their own. */
const maxPlatforms = 1_000;

const sharedSourceReason =
  "more platforms than get a data source of their own; it stands under a shared one";

/** Each platform has a data source; beyond the limit further ones share one. */
export const platformSources: SourceNaming = {
  system: "DataHub",
  description: "Entities reported by collectors of DataHub",
  root: datahubRoot,
  max: maxPlatforms,
  shared: { catrn: `${datahubRoot}other`, name: "other platforms" },
  catrnOf: platformCatrn,
  warningOf: (name) => ({ namespace: warningNamespace, name, reason: sharedSourceReason }),
};

/** Resolves again names that were not found for certain, and forgets what was removed for `datahub.ttl`. */
export async function sweep({ db, clock, config, log }: PublisherDeps): Promise<void> {
  const now = clock.now();
  await db.query(markForRecheck, [now - unsureMs, sweepLimits.names]);
  const [row] = await db.query(forget, [new Date(now - config.ttl), sweepLimits.forgotten]);
  if (row!.count > 0) log.info("state of DataHub forgotten", { entities: row!.count });
}

/** Maximum number of names resolved again in one sweep, and of entities deleted at a time. */
const sweepLimits = { names: 10_000, forgotten: 5_000 };

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
