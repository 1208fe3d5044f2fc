import { cutDescription } from "#metadata/alerts.ts";

/** A run that succeeded or failed, of one task. */
export interface Outcome {
  taskId: number;
  kind: "TRANSFORMER" | "TEST";
  catrn: string;
  name: string;
  status: string;
  /** Why it has that status, as posted; null when nobody said. */
  reason: string | null;
  /** Its end, or its start where no end is known; RFC 3339 in UTC with milliseconds. */
  ranAt: string;
}

/** The run that a task was last judged by. */
export type Judged = Pick<Outcome, "taskId" | "kind" | "catrn" | "ranAt">;

/** Whether a run that ended failed. */
export function isFailure({ status }: Outcome): boolean {
  return status === "FAILED" || status === "BROKEN";
}

/** What an alert says of a failed run, in at most `longest` characters. */
export function textOf({ kind, name, status, reason }: Outcome, longest: number): string {
  const text = `${kind === "TEST" ? "Test" : "Job"} run ${name} ended with status ${status}`;
  return cutDescription(reason ? `${text}: ${reason}` : text, longest);
}

/** Names the task of a run in one of its roles. */
export function taskKey({ taskId, kind }: Pick<Outcome, "taskId" | "kind">): string {
  return `${kind} ${taskId}`;
}

/**
 * The runs of each task that say something new, in the order in which they ran (time, then CATRN).
 * Those that are older than the run last judged are history; that run itself may come again
 * changed, with whatever times.
 */
export function newsOf(outcomes: Outcome[], judged: Judged[]): Map<string, Outcome[]> {
  const last = new Map(judged.map((run) => [taskKey(run), run]));
  const news = new Map<string, Outcome[]>();
  for (const outcome of [...outcomes].sort(byTime)) {
    const key = taskKey(outcome);
    const before = last.get(key);
    if (before && before.catrn !== outcome.catrn && byTime(outcome, before) < 0) continue;
    last.set(key, outcome);
    const list = news.get(key);
    if (list) list.push(outcome);
    else news.set(key, [outcome]);
  }
  return news;
}

type Moment = Pick<Outcome, "ranAt" | "catrn">;

function byTime(a: Moment, b: Moment): number {
  if (a.ranAt !== b.ranAt) return a.ranAt < b.ranAt ? -1 : 1;
  if (a.catrn === b.catrn) return 0;
  return a.catrn < b.catrn ? -1 : 1;
}
