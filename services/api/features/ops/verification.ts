import { isProjected } from "#graph/port.ts";
import { AppError, badRequest } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { causeOf } from "#platform/ops/cached-probe.ts";
import { isEqual, verify, type VerifyReport } from "#platform/ops/verify.ts";
import { maxDifferences, verifyMs } from "#services/api/features/ops/limits.ts";
import * as queries from "#services/api/features/ops/queries.ts";

type Deps = Pick<Context, "db" | "graph" | "clock" | "log">;

/** Milliseconds between two signs of life of a comparison. */
const tickMs = 5_000;

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
      if (!await queries.beginVerification(change.tx, run)) throw running();
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
      retryingTransaction(db, (tx) => queries.tickVerification(tx, run, compared))
        .then((isLeased) => isLeased || gone(), () => {});
    }, tickMs);
    const late = AbortSignal.timeout(verifyMs);
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal, late]);
    const end = await verify(this.deps, { progress: (edges) => compared = edges, signal }).then(
      (result) => result.projection === "inline" ? failedBy("inline", compared) : endedWith(result),
      (error) => failedBy(error, compared),
    );
    clearInterval(ticking);
    log.info("graph compared with the metadata", { state: end.state, cause: end.cause });
    // change-ok -- as above
    await retryingTransaction(db, (tx) => queries.endVerification(tx, run, end)).catch((error) => {
      log.warn("result of the comparison was not stored", { error });
    });
  }
}

function running(): AppError {
  return new AppError("A comparison of the graph with the metadata is running", {
    status: 429,
    code: "SYS002",
    retryable: true,
    retryAfter: 10,
  });
}

function failedBy(error: unknown, compared: number): queries.VerificationEnd {
  return { state: "FAILED", compared, cause: causeOf(error) };
}

function endedWith(result: VerifyReport): queries.VerificationEnd {
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
export function verificationShown(row: queries.VerificationRow | null): object | null {
  if (!row) return null;
  const { state, started_at, ended_at, compared, report, cause } = row;
  const edges = (pairs: queries.VerificationReport["missing"] = []) =>
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
