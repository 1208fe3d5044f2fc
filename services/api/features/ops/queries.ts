import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Seconds after which a comparison whose process says nothing counts as ended. */
const silentAfter = 30;

/** A comparison as it is stored. */
export interface VerificationRow {
  state: "RUNNING" | "EQUAL" | "DIFFERENT" | "FAILED";
  started_at: string;
  ended_at: string | null;
  compared: number;
  report: VerificationReport | null;
  cause: string | null;
}

/** What a comparison found. */
export interface VerificationReport {
  missing: (readonly [parent: number, child: number])[];
  extra: (readonly [parent: number, child: number])[];
  missingCount: number;
  extraCount: number;
  more: boolean;
  position: number;
  head: number;
}

const begin = statement("verification-begin")`
  INSERT INTO graph_verification (run, state) VALUES ($1, 'RUNNING')
  ON CONFLICT (one) DO UPDATE
    SET run = excluded.run, state = 'RUNNING', started_at = now(), seen_at = now(),
        ended_at = NULL, compared = 0, report = NULL, cause = NULL
  WHERE graph_verification.state <> 'RUNNING'
     OR graph_verification.seen_at < now() - ${silentAfter} * interval '1 second'
  RETURNING 1`;

/** Takes the place of the one comparison that may run; false when another does. */
export async function beginVerification(tx: Transaction, run: string): Promise<boolean> {
  return (await tx.query(begin, [run])).length > 0;
}

const tick = statement("verification-tick")`
  UPDATE graph_verification SET seen_at = now(), compared = $2
   WHERE run = $1 AND state = 'RUNNING' RETURNING 1`;

/** Says that a comparison still runs; false when another took its place. */
export async function tickVerification(
  tx: Transaction,
  run: string,
  compared: number,
): Promise<boolean> {
  return (await tx.query(tick, [run, compared])).length > 0;
}

/** How a comparison ended. */
export interface VerificationEnd {
  state: "EQUAL" | "DIFFERENT" | "FAILED";
  compared: number;
  report?: VerificationReport;
  cause?: string;
}

const end = statement("verification-end")`
  UPDATE graph_verification
     SET state = $2, compared = $3, report = $4, cause = $5, ended_at = now(), seen_at = now()
   WHERE run = $1 AND state = 'RUNNING'`;

export async function endVerification(
  tx: Transaction,
  run: string,
  { state, compared, report, cause }: VerificationEnd,
): Promise<void> {
  await tx.query(end, [
    run,
    state,
    compared,
    report ? JSON.stringify(report) : null,
    cause ?? null,
  ]);
}

/** What the metadata know of the projection. */
interface ProjectionRow {
  head: number;
  verification: VerificationRow | null;
}

const projection = statement<ProjectionRow>("ops-projection")`
  SELECT lineage_head() AS head,
         (SELECT json_build_object(
            'state', CASE WHEN ended THEN 'FAILED' ELSE v.state END,
            'started_at', iso(v.started_at),
            'ended_at', iso(CASE WHEN ended THEN v.seen_at ELSE v.ended_at END),
            'compared', v.compared,
            'report', v.report,
            'cause', CASE WHEN ended THEN 'the process that ran it ended' ELSE v.cause END)
            FROM graph_verification v
           CROSS JOIN LATERAL (
             SELECT v.state = 'RUNNING'
                    AND v.seen_at < now() - ${silentAfter} * interval '1 second' AS ended) e)
           AS verification`;

export async function readProjection(db: Queryable): Promise<ProjectionRow> {
  return (await db.query(projection))[0]!;
}

const schemaVersion = statement<{ version: number }>("ops-schema-version")`
  SELECT max(version)::integer AS version FROM schema_migration`;

/** Number of the newest file of the schema that was applied. */
export async function readSchemaVersion(db: Queryable): Promise<number> {
  return (await db.query(schemaVersion))[0]!.version;
}
