import type { Queryable } from "#metadata/database.ts";
import { statement } from "#metadata/statement.ts";

/** How one part of a batch ended, as the consumer recorded it. */
export interface PartOutcome {
  batch: string;
  part: number;
  outcome: "applied" | "refused";
  position: number;
  detail: RefusalDetail | null;
}

/** Why a part was refused: the answer's status, message and details. */
export interface RefusalDetail {
  status?: number;
  reason?: string;
  message?: string;
  details?: { field: string; message: string }[];
}

const outcomesOfBatch = statement<PartOutcome>("ingestion_outcomes")`
  SELECT batch, part, outcome, position, detail FROM applied_batch WHERE batch = ANY($1)`;

/** Outcomes of these batches, as far as they are known. */
export function readOutcomes(db: Queryable, batches: string[]): Promise<PartOutcome[]> {
  return db.query(outcomesOfBatch, [batches]);
}

export interface ProjectionStatus {
  position: number;
  state: string;
  /** Milliseconds since the projector was last heard of. */
  silentMs: number;
}

const projectionStatus = statement<ProjectionStatus>("ingestion_projection")`
  SELECT position, state,
         (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs"
    FROM projection_status`;

/** How far the projected graph is; undefined when no projector ever ran. */
export async function readProjection(db: Queryable): Promise<ProjectionStatus | undefined> {
  const rows = await db.query(projectionStatus);
  return rows[0];
}

const sourceByCatrn = statement("ingestion_source")`SELECT 1 FROM data_source WHERE catrn = $1`;

/** Whether a data source of that CATRN is registered. */
export async function isDataSource(db: Queryable, catrn: string): Promise<boolean> {
  const rows = await db.query(sourceByCatrn, [catrn]);
  return rows.length > 0;
}

/** Live members of a group that are known as more than a name, with their types, by CATRN. */
export function readMembers(db: Queryable, group: string) {
  return db.query<{ catrn: string; type_id: number }>(
    `SELECT m.catrn, m.type_id
     FROM data_entity m
     WHERE m.id IN (SELECT gm.member_id FROM group_member gm JOIN data_entity g ON g.id = gm.group_id
                    WHERE g.catrn = $1 AND g.status <> 5)
       AND NOT m.hollow AND m.status <> 5 AND m.type_id IS NOT NULL
     ORDER BY m.catrn`,
    [group],
  );
}

export interface CollectorToken {
  id: number;
  namespace_id: number | null;
  digest: Uint8Array;
}

/** The collector whose token has that SHA-256. */
export async function readCollector(
  db: Queryable,
  digest: Uint8Array,
): Promise<CollectorToken | undefined> {
  const rows = await db.query<CollectorToken>(
    `SELECT c.id, c.namespace_id, t.digest
     FROM token t JOIN collector c ON c.token_id = t.id
     WHERE t.digest = $1`,
    [digest],
  );
  return rows[0];
}

export interface SourceRow {
  catrn: string;
  name: string;
  description?: string;
}

/** Creates or updates data sources (distinct, in order of CATRN). What is not given stays. */
export async function upsertDataSources(
  db: Queryable,
  sources: SourceRow[],
  collector: { id: number; namespace_id: number | null } | undefined,
): Promise<void> {
  await db.query(
    `INSERT INTO data_source AS d (catrn, name, description, collector_id, namespace_id)
     SELECT s.catrn, s.name, s.description, $4::bigint, $5::bigint
     FROM unnest($1::text[], $2::text[], $3::text[]) AS s (catrn, name, description)
     ON CONFLICT (catrn) DO UPDATE SET
       name = excluded.name,
       description = coalesce(excluded.description, d.description),
       collector_id = coalesce(excluded.collector_id, d.collector_id),
       namespace_id = coalesce(d.namespace_id, excluded.namespace_id),
       updated_at = now()
     WHERE (d.name, d.description, d.collector_id, d.namespace_id) IS DISTINCT FROM
       (excluded.name, coalesce(excluded.description, d.description),
        coalesce(excluded.collector_id, d.collector_id),
        coalesce(d.namespace_id, excluded.namespace_id))`,
    [
      sources.map(({ catrn }) => catrn),
      sources.map(({ name }) => name),
      sources.map(({ description }) => description ?? null),
      collector?.id ?? null,
      collector?.namespace_id ?? null,
    ],
  );
}
