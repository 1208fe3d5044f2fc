import { cutDescription } from "#metadata/catalogue/alerts.ts";

/** A run that succeeded or failed, of one task. */
export interface FinishedRun {
  taskId: number;
  kind: "TRANSFORMER" | "TEST";
  catrn: string;
  name: string;
  status: string;
  /** Why it has that status, as posted; null when nobody said. */
  reason: string | null;
  /** Its end, or its start where no end is known, as posted; RFC 3339 in UTC with milliseconds. */
  statedAt: string;
  /** Whether its end is known. */
  ended: boolean;
  /** When its batch was received; of the form of `statedAt`. */
  receivedAt: string;
}

/** The run that a task was last judged by. */
export interface Judged extends Pick<FinishedRun, "taskId" | "kind" | "catrn" | "receivedAt"> {
  /** The moment that it was judged by. */
  ranAt: string;
  failed: boolean;
}

/** Whether a run that ended failed. */
export function isFailure({ status }: FinishedRun): boolean {
  return status === "FAILED" || status === "BROKEN";
}

/** The time by which a run is judged: its own, but no later than when it was received. */
export function ranAt(
  { statedAt, receivedAt }: Pick<FinishedRun, "statedAt" | "receivedAt">,
): string {
  return statedAt < receivedAt ? statedAt : receivedAt;
}

/** What an alert says of a failed run, in at most `longest` characters. */
export function textOf({ kind, name, status, reason }: FinishedRun, longest: number): string {
  const text = `${kind === "TEST" ? "Test" : "Job"} run ${name} ended with status ${status}`;
  return cutDescription(reason ? `${text}: ${reason}` : text, longest);
}

/** Names the task of a run in one of its roles. */
export function taskKey({ taskId, kind }: Pick<FinishedRun, "taskId" | "kind">): string {
  return `${kind} ${taskId}`;
}

/**
 * The runs of each task that say something new, in the order in which they ran (time, then CATRN).
 * Those that are older than the run last judged are history; that run itself may come again
 * changed, with whatever times.
 */
export function newsOf(runs: FinishedRun[], judged: Judged[]): Map<string, FinishedRun[]> {
  const last = new Map(judged.map((run) => [taskKey(run), run]));
  const news = new Map<string, FinishedRun[]>();
  for (const run of [...runs].sort(byTime)) {
    const key = taskKey(run);
    const list = news.get(key);
    if (list) list.push(run);
    else if (isNews(run, last.get(key))) news.set(key, [run]);
  }
  return news;
}

function isNews(outcome: FinishedRun, before: Judged | undefined): boolean {
  return !before || !isHistory(judgedBy(outcome), before) || endedLater(outcome, before);
}

/** What is remembered of a run by which its task was judged. */
export function judgedBy(outcome: FinishedRun): Judged {
  const { taskId, kind, catrn, receivedAt } = outcome;
  return { taskId, kind, catrn, receivedAt, ranAt: ranAt(outcome), failed: isFailure(outcome) };
}

function isHistory(run: Judged, before: Judged): boolean {
  if (run.catrn === before.catrn) return false;
  return run.ranAt < before.ranAt || (run.ranAt === before.ranAt && run.catrn < before.catrn);
}

/** Whether a run of unknown end counts as the later one: it was received later, and its status differs. */
function endedLater(outcome: FinishedRun, before: Judged): boolean {
  return !outcome.ended && outcome.receivedAt > before.receivedAt &&
    isFailure(outcome) !== before.failed;
}

/** Orders by judged time; runs of one batch that are dated ahead keep the order of their own dates. */
function byTime(a: FinishedRun, b: FinishedRun): number {
  return compare(ranAt(a), ranAt(b)) || compare(a.statedAt, b.statedAt) ||
    compare(a.catrn, b.catrn);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
