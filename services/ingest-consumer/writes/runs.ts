import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeSet } from "../change-set.ts";
import type { RunDraft, WriteOutcome } from "../chunk.ts";
import { bigint, columns, text } from "../statement.ts";
import { metadataEntries } from "../posted-item.ts";
import { receivedAt } from "./entities.ts";

/** Most metadata values of a run that are stored, and how much of each, in characters. */
export const maxRunMetadata = { values: 100, characters: 10_000 };

interface RunWriteResult {
  outcome: WriteOutcome;
  runs: number;
  /** CATRNs of the runs with a new outcome; null when there are none. */
  turned: string[] | null;
}

/** Stores the newest posting of each run, by CATRN; signals those with a new outcome. */
export async function writeRuns(tx: Transaction, set: ChangeSet): Promise<void> {
  const { runs, identity } = set;
  if (runs.length === 0) return;
  const rows = await tx.query(upsert, [
    receivedAt(identity),
    identity.batch,
    ...columns(
      runs,
      text((r) => r.catrn),
      bigint((r) => set.idOf(r.taskCatrn)),
      text((r) => r.kind),
      text((r) => r.item.name),
      text((r) => r.run.start_time),
      text((r) => r.run.end_time),
      text((r) => r.run.status),
      text((r) => r.run.status_reason),
      text((r) => r.hash),
      text((r) => metadataOf(r.item)),
    ),
  ]);
  set.counts.stale += runs.length;
  for (const { outcome, runs: count } of rows) {
    set.counts[outcome] += count;
    set.counts.stale -= count;
  }
  const turned = new Set(rows.flatMap((row) => row.turned ?? []));
  set.signals.runs = runs.filter((r) => turned.has(r.catrn));
}

/** The metadata of a run by name, as JSON text: runs are many, so what is stored of each is bounded. */
function metadataOf({ metadata }: RunDraft["item"]): string | null {
  const entries = metadataEntries(metadata).slice(0, maxRunMetadata.values);
  if (entries.length === 0) return null;
  const retained = entries.map(({ name, text }) =>
    [name, text.slice(0, maxRunMetadata.characters).toWellFormed()] as const
  );
  return JSON.stringify(Object.fromEntries(retained));
}

const outcome = (run: string) =>
  `CASE ${run}.status WHEN 'BROKEN' THEN 'FAILED' ELSE ${run}.status END`;

/**
 * $1 received, $2 batch, $3… one array per column. A run from a newer batch stays. Returns the count
 * of each outcome but stale, and the finished runs that are new, moved to another task, or have
 * another outcome. All failing statuses count as the same outcome.
 */
const upsert = statement<RunWriteResult>("ingest-upsert-runs")`
  WITH posted AS (
     SELECT * FROM unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[], $12::text[])
       AS t (catrn, task_id, kind, name, start_time, end_time, status, status_reason, hash, metadata)),
   before AS (
     SELECT r.catrn, r.content_hash, r.task_id, r.kind, ${
  outcome("r")
} AS outcome FROM task_run r WHERE r.catrn = ANY($3::text[])),
   written AS (
     INSERT INTO task_run AS r (catrn, task_id, kind, name, start_time, end_time, status,
       status_reason, content_hash, metadata, received_at, batch)
     SELECT catrn, task_id, kind, name, start_time::timestamptz, end_time::timestamptz, status,
            status_reason, decode(hash, 'hex'), metadata::jsonb, $1::timestamptz, $2::text
       FROM posted ORDER BY catrn COLLATE "C"
     ON CONFLICT (catrn) DO UPDATE SET
       task_id = excluded.task_id, kind = excluded.kind, name = excluded.name,
       start_time = excluded.start_time, end_time = excluded.end_time, status = excluded.status,
       status_reason = excluded.status_reason, received_at = excluded.received_at,
       batch = excluded.batch, content_hash = excluded.content_hash, metadata = excluded.metadata,
       updated_at = CASE WHEN r.content_hash IS DISTINCT FROM excluded.content_hash
         THEN now() ELSE r.updated_at END
     WHERE (r.received_at, r.batch) <= (excluded.received_at, excluded.batch)
     RETURNING catrn, content_hash, task_id, kind, ${outcome("r")} AS outcome)
   SELECT CASE WHEN b.catrn IS NULL THEN 'new'
               WHEN b.content_hash = w.content_hash THEN 'unchanged'
               ELSE 'changed' END AS outcome, count(*) AS runs,
          array_agg(w.catrn) FILTER (WHERE w.outcome IN ('SUCCESS', 'FAILED')
            AND (b.task_id, b.kind, b.outcome) IS DISTINCT FROM (w.task_id, w.kind, w.outcome))
            AS turned
     FROM written w LEFT JOIN before b ON b.catrn = w.catrn
    GROUP BY 1`;
