import { isProjected } from "#graph/port.ts";
import { badRequest, tooManyRequests } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { causeOf } from "#platform/ops/cached-probe.ts";
import { isEqual, verify, type VerifyReport } from "#platform/ops/edges.ts";
import { maxDifferences, verifyMs } from "#services/api/features/ops/limits.ts";

type Deps = Pick<Context, "db" | "graph" | "clock" | "log">;

/** A comparison as it is stored. */
interface VerificationRow {
  state: "RUNNING" | "EQUAL" | "DIFFERENT" | "FAILED";
  started_at: string;
  ended_at: string | null;
  compared: number;
  report: VerificationReport | null;
  cause: string | null;
}

/** What a comparison found. */
interface VerificationReport {
  missing: (readonly [parent: number, child: number])[];
  extra: (readonly [parent: number, child: number])[];
  missingCount: number;
  extraCount: number;
  more: boolean;
  position: number;
  head: number;
}

/** How a comparison ended. */
interface VerificationEnd {
  state: "EQUAL" | "DIFFERENT" | "FAILED";
  compared: number;
  report?: VerificationReport;
  cause?: string;
}

/** Milliseconds between two signs of life of a comparison. */
const tickMs = 5_000;

/** Seconds after which a comparison whose process says nothing counts as ended. */
const silentSeconds = 30;

/**
 * Compares the graph with the metadata in the background, as `npm run graph -- verify` does: one at a time over all
 * processes. Its state is in the metadata store, so that every process can report it.
 */
export class Verification {
  readonly #stopping = new AbortController();

  constructor(private readonly deps: Deps) {}

  /** Begins one. Throws 400 where there is nothing to compare, and 429 while another runs. */
  async start(actor: Caller): Promise<void> {
    if (!isProjected(this.deps.graph)) {
      throw badRequest("The graph is the metadata itself (projection inline): nothing to compare");
    }
    const run = crypto.randomUUID();
    await changing(this.deps, actor, async (change) => {
      const begun = await change.tx.query(beginVerification, [run]);
      if (begun.length === 0) {
        throw tooManyRequests("A comparison of the graph with the metadata is running", 10);
      }
      change.audit("PROJECTION_VERIFIED", `graph ${this.deps.graph.engine}`);
    });
    void this.#run(run);
  }

  /** Ends the one that runs here. */
  stop(): void {
    this.#stopping.abort(new Error("the process that ran it ended"));
  }

  async #run(run: string): Promise<void> {
    const { db, log } = this.deps;
    let compared = 0;
    const lost = new AbortController();
    const ticking = setInterval(() => {
      const gone = () => lost.abort(new Error("another comparison took its place"));
      // change-ok -- the comparison's own state
      retryingTransaction(db, (tx) => tx.query(tickVerification, [run, compared]))
        .then((leased) => leased.length > 0 || gone(), () => {});
    }, tickMs);
    const late = AbortSignal.timeout(verifyMs);
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal, late]);
    const end = await verify(this.deps, { progress: (edges) => compared = edges, signal }).then(
      (result) => result.projection === "inline" ? failedBy("inline", compared) : endedWith(result),
      (error) => failedBy(error, compared),
    );
    clearInterval(ticking);
    log.info("graph compared with the metadata", { state: end.state, cause: end.cause });
    const report = end.report ? JSON.stringify(end.report) : null;
    const values = [run, end.state, end.compared, report, end.cause ?? null];
    // change-ok -- as above
    await retryingTransaction(db, (tx) => tx.query(endVerification, values)).catch((error) => {
      log.warn("result of the comparison was not stored", { error });
    });
  }
}

function failedBy(error: unknown, compared: number): VerificationEnd {
  return { state: "FAILED", compared, cause: causeOf(error) };
}

function endedWith(result: VerifyReport): VerificationEnd {
  const { missing, extra, more, position, head, compared } = result;
  const report = {
    missing: missing.slice(0, maxDifferences),
    extra: extra.slice(0, maxDifferences),
    missingCount: missing.length,
    extraCount: extra.length,
    more,
    position,
    head,
  };
  return { state: isEqual(result) ? "EQUAL" : "DIFFERENT", compared, report };
}

/** OpsVerification; null before the first. */
export function verificationShown(row: VerificationRow | null) {
  if (!row) return null;
  const { state, started_at, ended_at, compared, report, cause } = row;
  const edges = (pairs: VerificationReport["missing"] = []) =>
    pairs.map(([parent_id, child_id]) => ({ parent_id, child_id }));
  return {
    state,
    started_at,
    ended_at,
    compared,
    position: report?.position ?? null,
    newest: report?.head ?? null,
    missing_count: report?.missingCount ?? null,
    extra_count: report?.extraCount ?? null,
    missing: edges(report?.missing),
    extra: edges(report?.extra),
    more: report?.more ?? null,
    cause,
  };
}

/** Takes the place of the one comparison that may run; no row when another does. */
const beginVerification = statement("verification-begin")`
  INSERT INTO graph_verification (run, state) VALUES ($1, 'RUNNING')
  ON CONFLICT (one) DO UPDATE
    SET run = excluded.run, state = 'RUNNING', started_at = now(), seen_at = now(),
        ended_at = NULL, compared = 0, report = NULL, cause = NULL
  WHERE graph_verification.state <> 'RUNNING'
     OR graph_verification.seen_at < now() - ${silentSeconds} * interval '1 second'
  RETURNING 1`;

/** Says that a comparison still runs; no row when another took its place. */
const tickVerification = statement("verification-tick")`
  UPDATE graph_verification SET seen_at = now(), compared = $2
   WHERE run = $1 AND state = 'RUNNING' RETURNING 1`;

const endVerification = statement("verification-end")`
  UPDATE graph_verification
     SET state = $2, compared = $3, report = $4, cause = $5, ended_at = now(), seen_at = now()
   WHERE run = $1 AND state = 'RUNNING'`;

/** What the metadata know of the projection. */
interface ProjectionRow {
  head: number;
  verification: VerificationRow | null;
}

const projectionStatement = statement<ProjectionRow>("ops-projection")`
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
                    AND v.seen_at < now() - ${silentSeconds} * interval '1 second' AS ended) e)
           AS verification`;

export async function readProjection(db: Queryable): Promise<ProjectionRow> {
  return (await db.query(projectionStatement))[0]!;
}

/** Number of the newest file of the schema that was applied. */
export const schemaVersion = statement<{ version: number }>("ops-schema-version")`
  SELECT max(version)::integer AS version FROM schema_migration`;
