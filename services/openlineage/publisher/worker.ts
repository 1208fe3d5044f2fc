import { statement } from "#metadata/postgres/statement.ts";
import { queueWork } from "#platform/composed-source/queue.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import { publishDatasets } from "./datasets.ts";
import type { PublisherDeps } from "./deps.ts";
import { publishJobs } from "./jobs.ts";
import { publishRuns } from "./runs.ts";

/** The worker that maps what events changed, and posts it. */
export function lineagePublisher(deps: PublisherDeps): ComposedPublisher<PublisherDeps> {
  return new ComposedPublisher({
    name: "OpenLineage composer",
    spans: "openlineage",
    ...queueWork(deps, publishAll),
    sweep: () => sweep(deps),
    pauseAfter: (tookMs, options) => deps.throttle.pauseAfter(tookMs, options),
  });
}

/** Maps and posts datasets, then jobs, which name them, then runs, one round of each; how many rows were taken. */
export async function publishAll(
  deps: PublisherDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let taken = 0;
  for (const publish of [publishDatasets, publishJobs, publishRuns]) {
    if (signal.aborted) return taken;
    await deps.backpressure.waitForCapacity(signal);
    taken += (await publish(deps)).taken;
  }
  return taken;
}

/** Maximum number of names resolved again in one sweep, and of state rows deleted at a time. */
const sweepLimits = { names: 2_000, forgotten: 5_000 };

/** Milliseconds after which a name without a collector's dataset is resolved again. */
const unsureMs = 5 * 60 * 1_000;

/** COMPLETE runs of a job whose state stays however old they are. */
const retainedRuns = 3;

/**
 * Resolves again the names of datasets that were not found for certain: a collector may have reported them by now. And
 * forgets the state of runs, and of jobs and datasets that the catalogue no longer holds, after `openlineage.ttl`.
 */
export async function sweep({ db, clock, config, log }: PublisherDeps): Promise<void> {
  const now = clock.now();
  await db.query(markForRecheck, [now - unsureMs, sweepLimits.names]);
  const given = [now - config.ttl, sweepLimits.forgotten];
  const [runs] = await db.query(forgetRuns, [...given, retainedRuns]);
  const [jobs] = await db.query(forgetJobs, given);
  const [datasets] = await db.query(forgetDatasets, given);
  const counts = { runs: runs!.count, jobs: jobs!.count, datasets: datasets!.count };
  if (Object.values(counts).some((count) => count > 0)) {
    log.info("state of OpenLineage forgotten", counts);
  }
}

/** $1 when those were last looked for that are looked for now, $2 limit. */
const markForRecheck = statement("ol-look-again")`
  UPDATE ol_dataset SET dirty = dirty + 1, resolved_at = NULL WHERE key IN (
    SELECT key FROM ol_dataset WHERE match <> 'exact' AND resolved_at < $1::bigint
     ORDER BY resolved_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`;

const forgetSql = (table: string, condition: string) => `
  WITH gone AS (
    DELETE FROM ${table} WHERE key IN (
      SELECT key FROM ${table} t WHERE t.last_seen < $1::bigint AND t.dirty = 0 AND ${condition}
       ORDER BY t.last_seen LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** $1 before when they were last seen, $2 limit, $3 how many COMPLETE ones of a job stay. */
const forgetRuns = statement<{ count: number }>("ol-forget-runs")`${
  forgetSql(
    "ol_run",
    `NOT (t.terminal IS NOT DISTINCT FROM 'COMPLETE' AND t.key IN (
        SELECT k.key FROM ol_run k WHERE k.job_key = t.job_key AND k.terminal = 'COMPLETE'
         ORDER BY k.began DESC, k.key LIMIT $3))`,
  )
}`;

const unheld = (table: string) => `
  NOT EXISTS (SELECT FROM data_entity e WHERE e.catrn = ${table} AND NOT e.hollow)`;

/** $1 before when they were last seen, $2 limit. */
const forgetJobs = statement<{ count: number }>("ol-forget-jobs")`${
  forgetSql(
    "ol_job",
    `${unheld("t.key")} AND NOT EXISTS (SELECT FROM ol_run r WHERE r.job_key = t.key)`,
  )
}`;

/** As `forgetJobs`. */
const forgetDatasets = statement<{ count: number }>("ol-forget-datasets")`${
  forgetSql(
    "ol_dataset",
    `${unheld("coalesce(t.catrn, t.key)")}
      AND NOT EXISTS (SELECT FROM ol_run_io i WHERE i.dataset_key = t.key)
      AND NOT EXISTS (SELECT FROM ol_alias_link l WHERE l.from_key = t.key OR l.to_key = t.key)`,
  )
}`;
