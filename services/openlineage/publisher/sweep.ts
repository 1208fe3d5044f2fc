import type { PublisherDeps } from "./deps.ts";
import * as sql from "./sweep.queries.ts";

/** Maximum number of names resolved again in one sweep, and of state rows deleted at a time. */
const limits = { names: 2_000, forgotten: 5_000 };

/** Milliseconds after which a name without a collector's dataset is resolved again. */
const unsureMs = 5 * 60 * 1_000;

/**
 * Resolves again the names of datasets that were not found for certain: a collector may have reported them by now. And
 * forgets the state of runs, and of jobs and datasets that the catalogue no longer holds, after `openlineage.ttl`.
 */
export async function sweep({ db, clock, config, log }: PublisherDeps): Promise<void> {
  const now = clock.now();
  await db.query(sql.markForRecheck, [now - unsureMs, limits.names]);
  const before = now - config.ttl;
  const counts = [0, 0, 0];
  for (const [at, statement] of [sql.forgetRuns, sql.forgetJobs, sql.forgetDatasets].entries()) {
    const values = [before, limits.forgotten, ...(at === 0 ? [retainedRuns] : [])];
    const [row] = await db.query(statement, values);
    counts[at] = row!.count;
  }
  const [runs, jobs, datasets] = counts;
  if (counts.some((count) => count > 0)) {
    log.info("state of OpenLineage forgotten", { runs, jobs, datasets });
  }
}

/** COMPLETE runs of a job whose state stays however old they are. */
const retainedRuns = 3;
