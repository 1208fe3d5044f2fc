import type { RunStatus } from "#contract/entities.ts";
import { textOf, valueOf } from "./facets.ts";
import type { IoState, RunState, Side } from "./model.ts";
import { compare } from "./states.ts";

type Terminal = "FAIL" | "ABORT" | "COMPLETE";

/** Of terminals of one time the first counts. */
const terminals: readonly Terminal[] = ["FAIL", "ABORT", "COMPLETE"];

const statusOf: Record<Terminal, RunStatus> = {
  FAIL: "FAILED",
  ABORT: "ABORTED",
  COMPLETE: "SUCCESS",
};

/** Longest reason of a status, in characters. */
const maxReason = 2_000;

/** What came of the runs that a run started: of each job the last. Times are in milliseconds since the epoch. */
export interface TaskOutcomes {
  count: number;
  running: number;
  /** Names of jobs whose run failed, up to `maxNamedTasks`, and how many there are. */
  failed: string[];
  failures: number;
  aborted: number;
  /** The last event of any of them. */
  lastAt: number;
}

/** Maximum number of failed tasks that a reason names. */
export const maxNamedTasks = 3;

/** Milliseconds after the last event of its tasks at which a run that sends no events itself counts as ended. */
const betweenTasksMs = 30_000;

export interface RunRules {
  /** Its job does not end, so a start after an end is a new start. */
  streaming: boolean;
  now: number;
  /** Milliseconds without an event after which a run that does not end is considered lost. */
  timeoutMs: number;
}

/** What a run has come to. Times are in milliseconds since the epoch. */
export interface RunOutcome {
  status: RunStatus;
  reason: string | null;
  startedAt: number;
  endedAt: number | null;
  /** The terminal that counts; null while it runs. */
  terminal: Terminal | null;
  /** Considered lost after a period without events. */
  silent: boolean;
  /** When it is to be looked at again without another event; null if never. */
  dueAt: number | null;
}

/**
 * The status of a run by all of its events, whatever their order; of one that sends none itself, such as the run of a
 * DAG that only its tasks name, by the `tasks`.
 */
export function outcomeOf(
  run: RunState,
  rules: RunRules,
  tasks: TaskOutcomes | null = null,
): RunOutcome {
  if (tasks && !hasOwnEvents(run)) return outcomeOfTasks(run, tasks, rules);
  const terminal = rules.streaming && isReopened(run) ? null : terminalOf(run);
  const startedAt = startOf(run);
  const base = { startedAt, endedAt: null, terminal, silent: false, reason: null, dueAt: null };
  if (terminal) {
    const reason = errorOf(run);
    // A clock that was set back does not make a run end before it began.
    const endedAt = Math.max(run.seen[terminal]!, startedAt);
    return { ...base, status: statusOf[terminal], endedAt, reason };
  }
  const dueAt = rules.streaming ? null : run.last + rules.timeoutMs;
  if (dueAt !== null && dueAt <= rules.now) {
    const reason = `No event for ${hours(rules.timeoutMs)}, and none that ends the run`;
    return { ...base, status: "UNKNOWN", silent: true, reason };
  }
  const begun = run.seen.START !== undefined || run.seen.RUNNING !== undefined;
  return { ...base, status: begun ? "RUNNING" : "UNKNOWN", dueAt };
}

/** Whether a run sent events itself, rather than being named by those it started. */
export function hasOwnEvents({ job, unnamed }: RunState): boolean {
  return job !== null || unnamed !== null;
}

function outcomeOfTasks(run: RunState, tasks: TaskOutcomes, rules: RunRules): RunOutcome {
  const startedAt = startOf(run);
  const base = { startedAt, endedAt: null, terminal: null, silent: false, reason: null };
  const lostAt = tasks.lastAt + rules.timeoutMs;
  if (tasks.running > 0) {
    if (lostAt > rules.now) return { ...base, status: "RUNNING", dueAt: lostAt };
    const reason = `No event of its tasks for ${
      hours(rules.timeoutMs)
    }, and ${tasks.running} not ended`;
    return { ...base, status: "UNKNOWN", silent: true, reason, dueAt: null };
  }
  const endedAt = Math.max(tasks.lastAt, startedAt);
  if (tasks.failures > 0) {
    const names = tasks.failed.slice(0, maxNamedTasks).join(", ");
    const more = tasks.failures > tasks.failed.length ? " and others" : "";
    const reason = `${tasks.failures} of ${tasks.count} tasks failed: ${names}${more}`
      .slice(0, maxReason).toWellFormed();
    return { ...base, status: "FAILED", terminal: "FAIL", endedAt, reason, dueAt: null };
  }
  // The next task may be about to begin.
  const settledAt = tasks.lastAt + betweenTasksMs;
  if (settledAt > rules.now) return { ...base, status: "RUNNING", dueAt: settledAt };
  const terminal = tasks.aborted > 0 ? "ABORT" : "COMPLETE";
  return { ...base, status: statusOf[terminal], terminal, endedAt, dueAt: null };
}

/** When a run began: its first START, else its first event. */
export function startOf(run: RunState): number {
  return run.started ?? run.first;
}

/** Any terminal wins forever; among terminals the greatest time. */
export function terminalOf({ seen }: RunState): Terminal | null {
  let found: Terminal | null = null;
  for (const each of terminals) {
    const at = seen[each];
    if (at !== undefined && (found === null || at > seen[found]!)) found = each;
  }
  return found;
}

/** Whether an event after its terminal one shows that a run continues. */
export function isReopened(run: RunState): boolean {
  const terminal = terminalOf(run);
  if (!terminal) return false;
  const { START = -Infinity, RUNNING = -Infinity } = run.seen;
  return Math.max(START, RUNNING) > run.seen[terminal]!;
}

function errorOf(run: RunState): string | null {
  const message = textOf(valueOf(run.facets, "errorMessage"), "message");
  return message === undefined ? null : message.slice(0, maxReason).toWellFormed();
}

function hours(ms: number): string {
  return ms >= 3_600_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 1_000)} s`;
}

/** A run, with its inputs and outputs. */
export interface StoredRun {
  key: string;
  state: RunState;
  io: IoState[];
}

/** Newest first: by the time at which it began, then by key. */
export function newestFirst(a: StoredRun, b: StoredRun): number {
  return startOf(b.state) - startOf(a.state) || compare(a.key, b.key);
}

/** The inputs or outputs of a run that count: those since its last complete snapshot. */
export function effectiveIo({ state, io }: StoredRun, side: Side): IoState[] {
  const since = state.snapshot ?? -Infinity;
  return io.filter((row) => row.side === side && row.t >= since);
}

/** Whether a run has any input or output that counts, from its state alone. */
export function hasAny(state: RunState, side: Side): boolean {
  const at = state[side];
  return at !== null && at >= (state.snapshot ?? -Infinity);
}

/** The job of a run: the last that had a name; else the last without one; else the one by which its tasks name it. */
export function jobOfRun({ job, unnamed, mentioned }: RunState): string {
  return (job ?? unnamed ?? mentioned)!.v;
}
