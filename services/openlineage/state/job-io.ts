import { valueOf } from "./facets.ts";
import { isStreaming } from "./events.ts";
import type { IoState, JobState, Side } from "./model.ts";
import { effectiveIo, hasAny, newestFirst, outcomeOf, type StoredRun } from "./runs.ts";

export interface IoRules {
  now: number;
  /** COMPLETE runs whose inputs or outputs count. */
  remembered: number;
  timeoutMs: number;
  /** Milliseconds after which an input or output that is not seen again leaves; null never. */
  edgeTtlMs: number | null;
  streamingEdgeTtlMs: number | null;
}

/** The inputs or outputs of a job. */
interface JobIo {
  /** Keys of datasets, sorted. */
  keys: string[];
  /** When the first of them leaves unless seen again; null if none does. */
  dueAt: number | null;
  /** How many others the COMPLETE runs before had, as far as these are read, and how many are too many. */
  more: number;
}

/** How many COMPLETE runs are read beyond those that count. */
export const maxEarlierRuns = 5;

/** Maximum number of inputs or outputs of a job. */
export const maxJobSide = 10_000;

/**
 * The datasets on one side of a job: those of its last COMPLETE runs that had any, of every run that
 * has not ended or is newer than the last COMPLETE one, and those that it declares.
 */
export function jobIo(side: Side, job: JobState, runs: StoredRun[], rules: IoRules): JobIo {
  const streaming = isStreaming(valueOf(job.facets, "jobType"));
  const ttl = streaming ? rules.streamingEdgeTtlMs : rules.edgeTtlMs;
  const seen = new Map<string, number>();
  for (const { key, t } of rowsOf(side, runs, { ...rules, streaming })) {
    seen.set(key, Math.max(t, seen.get(key) ?? t));
  }
  const declared = job[side];
  for (const { key } of declared?.v ?? []) {
    // What is declared stands until it is declared otherwise.
    seen.set(key, ttl === null ? declared!.t : Infinity);
  }
  const current = [...seen].filter(([, t]) => ttl === null || t + ttl > rules.now);
  const expiries = ttl === null ? [] : current.map(([, t]) => t + ttl);
  const dueAt = expiries.reduce((first, at) => Math.min(first, at), Infinity);
  const keys = current.map(([key]) => key).sort().slice(0, maxJobSide);
  const all = new Set([
    ...current.map(([key]) => key),
    ...completeKeys(side, runs, { ...rules, streaming }),
  ]);
  return {
    keys,
    dueAt: Number.isFinite(dueAt) ? dueAt : null,
    more: all.size - keys.length,
  };
}

/** What the newest COMPLETE runs had, a few more of them than count. */
function completeKeys(
  side: Side,
  runs: StoredRun[],
  rules: IoRules & { streaming: boolean },
): string[] {
  const complete = runs.filter((run) =>
    outcomeOf(run.state, rules).terminal === "COMPLETE" && hasAny(run.state, side)
  );
  const newest = complete.sort(newestFirst).slice(0, rules.remembered + maxEarlierRuns);
  return newest.flatMap((run) => effectiveIo(run, side).map(({ key }) => key));
}

/** The runs whose inputs or outputs count. */
export function countingRuns(
  side: Side,
  runs: StoredRun[],
  rules: Pick<IoRules, "now" | "remembered" | "timeoutMs"> & { streaming: boolean },
): StoredRun[] {
  const counting: StoredRun[] = [];
  let complete = 0;
  let passed = false;
  for (const run of [...runs].sort(newestFirst)) {
    const { terminal, silent } = outcomeOf(run.state, rules);
    const remembered = terminal === "COMPLETE" && complete < rules.remembered &&
      hasAny(run.state, side);
    if (remembered) complete++;
    if (terminal === "COMPLETE") passed = true;
    if (remembered || terminal === null && !silent) counting.push(run);
    else if (!passed && terminal !== "COMPLETE") counting.push(run);
  }
  return counting;
}

function rowsOf(
  side: Side,
  runs: StoredRun[],
  rules: Parameters<typeof countingRuns>[2],
): IoState[] {
  return countingRuns(side, runs, rules).flatMap((run) => {
    const rows = effectiveIo(run, side);
    const { last, [side]: listed } = run.state;
    if (!rules.streaming || outcomeOf(run.state, rules).terminal !== null) return rows;
    // A stream may repeat that it runs without what it reads and writes: its newest list holds.
    return rows.map((row) => row.t === listed ? { ...row, t: last } : row);
  });
}
