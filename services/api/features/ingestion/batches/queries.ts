import type { Queryable } from "#metadata/postgres/database.ts";
import { serverTimeSql } from "#metadata/postgres/server-time.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** How one chunk of a batch ended, as the consumer recorded it. */
export interface ChunkOutcome {
  batch: string;
  part: number;
  outcome: "applied" | "refused";
  position: number;
  detail: RefusalDetail | null;
}

/** Why a chunk, or of an applied one some items, were refused: the answer's status, message and details. */
interface RefusalDetail {
  /** Of an applied chunk: number of items that were left out. */
  left_out?: number;
  status?: number;
  reason?: string;
  message?: string;
  details?: { field: string; message: string }[];
}

const outcomesOfBatch = statement<ChunkOutcome>("ingestion_outcomes")`
  SELECT batch, part, outcome, position, detail FROM applied_batch WHERE batch = ANY($1)`;

/** The outcomes of these batches that are known so far. */
export function readOutcomes(db: Queryable, batches: string[]): Promise<ChunkOutcome[]> {
  return db.query(outcomesOfBatch, [batches]);
}

export interface ProjectionStatus {
  position: number;
  state: string;
  /** Milliseconds since the projector's last report. */
  silentMs: number;
}

const projectionStatus = statement<ProjectionStatus>("ingestion_projection")`
  SELECT position, state,
         (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs"
    FROM projection_status`;

/** The position of the projected graph; undefined when no projector ever ran. */
export async function readProjection(db: Queryable): Promise<ProjectionStatus | undefined> {
  const rows = await db.query(projectionStatus);
  return rows[0];
}

const sourceByCatrn = statement<{ now: number }>("ingestion_source")`
  SELECT ${serverTimeSql} AS now FROM data_source WHERE catrn = $1`;

/** When a batch of a data source counts as received, by PostgreSQL's clock; undefined if it is not registered. */
export async function receivedAtOf(db: Queryable, catrn: string): Promise<number | undefined> {
  const [row] = await db.query(sourceByCatrn, [catrn]);
  return row?.now;
}
