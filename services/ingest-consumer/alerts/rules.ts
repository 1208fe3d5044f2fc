import type { AlertType } from "#contract/alerts.ts";
import { chunksOf, cutDescription, type NewAlert } from "#metadata/catalogue/alerts.ts";

/** Identifies an alert; at most one alert with a given key is OPEN. */
export interface AlertKey {
  entityId: number;
  type: AlertType;
  /** The test of a FAILED_DQ_TEST alert; null for other types. */
  messengerId: number | null;
}

export interface OpenAlert extends AlertKey {
  id: number;
}

/** What one run or schema means for an alert: the texts of a failure, or null for a success. */
type FailureTexts = string[] | null;

/** All findings of one chunk of a batch for one key. */
export interface KeyFindings {
  key: AlertKey;
  /** The alert that is OPEN now, if any. */
  open: OpenAlert | null;
  /** If false, a failure neither raises an alert nor adds to one. */
  mayRaise: boolean;
  /** Failures and successes in the order in which they happened. */
  findings: FailureTexts[];
}

/** Changes of alerts, to be applied in this order. */
interface AlertPlan {
  stacks: { alert: OpenAlert; chunks: NewAlert["chunks"] }[];
  resolved: OpenAlert[];
  created: NewAlert[];
}

/**
 * Applies the findings of each key in order: a failure raises an alert or adds chunks to the open
 * one; a success resolves it. An alert raised and resolved within one chunk is created as resolved.
 * `at` is RFC 3339.
 */
export function planAlerts(all: KeyFindings[], at: string): AlertPlan {
  const plan: AlertPlan = { stacks: [], resolved: [], created: [] };
  for (const findings of all) follow(findings, at, plan);
  return plan;
}

function follow({ key, open, mayRaise, findings }: KeyFindings, at: string, plan: AlertPlan) {
  let current = open;
  let texts: string[] = [];
  const settle = (resolved: boolean) => {
    if (texts.length > 0) {
      const chunks = chunksOf(texts, at);
      if (current) plan.stacks.push({ alert: current, chunks });
      else plan.created.push({ ...key, chunks, resolved });
    }
    if (current && resolved) plan.resolved.push(current);
    if (resolved) current = null;
    texts = [];
  };
  for (const finding of findings) {
    if (finding === null) settle(true);
    else if (mayRaise) { for (const text of finding) texts.push(text); }
  }
  settle(false);
}

/** A run of one task that ended in success or failure. */
export interface FinishedRun {
  taskId: number;
  kind: "TRANSFORMER" | "TEST";
  catrn: string;
  name: string;
  status: string;
  /** The posted reason of the status; null when none was given. */
  reason: string | null;
  /** The posted end, or the start if no end was posted; RFC 3339 in UTC with milliseconds. */
  statedAt: string;
  /** Whether an end was posted. */
  ended: boolean;
  /** When its batch was received, in the format of `statedAt`. */
  receivedAt: string;
}

/** The latest run that decided whether a task has failed. */
export interface DecidingRun extends Pick<FinishedRun, "taskId" | "kind" | "catrn" | "receivedAt"> {
  /** The run's time, as computed by `ranAt`. */
  ranAt: string;
  failed: boolean;
}

/** Whether a finished run failed. */
export function isFailure({ status }: FinishedRun): boolean {
  return status === "FAILED" || status === "BROKEN";
}

/** The time by which runs are ordered: the posted time, but no later than the time of receipt. */
function ranAt(
  { statedAt, receivedAt }: Pick<FinishedRun, "statedAt" | "receivedAt">,
): string {
  return statedAt < receivedAt ? statedAt : receivedAt;
}

/** The alert text of a failed run, at most `longest` characters. */
export function failureText({ kind, name, status, reason }: FinishedRun, longest: number): string {
  const text = `${kind === "TEST" ? "Test" : "Job"} run ${name} ended with status ${status}`;
  return cutDescription(reason ? `${text}: ${reason}` : text, longest);
}

/** Identifies the task of a run; an entity that is both transformer and test counts as two tasks. */
export function taskKey({ taskId, kind }: Pick<FinishedRun, "taskId" | "kind">): string {
  return `${kind} ${taskId}`;
}

/**
 * The runs that are new for each task, ordered by time, then CATRN. A run older than the one that
 * decided last is ignored, but that same run may be posted again with other values, even with other
 * times.
 */
export function newRunsOf(
  runs: FinishedRun[],
  deciding: DecidingRun[],
): Map<string, FinishedRun[]> {
  const last = new Map(deciding.map((run) => [taskKey(run), run]));
  const newRuns = new Map<string, FinishedRun[]>();
  for (const run of [...runs].sort(byTime)) {
    const key = taskKey(run);
    const list = newRuns.get(key);
    if (list) list.push(run);
    else if (isNewer(run, last.get(key))) newRuns.set(key, [run]);
  }
  return newRuns;
}

function isNewer(run: FinishedRun, before: DecidingRun | undefined): boolean {
  return !before || !isHistory(decidingRunOf(run), before) || endedLater(run, before);
}

/** What is stored about the run that decided last. */
export function decidingRunOf(run: FinishedRun): DecidingRun {
  const { taskId, kind, catrn, receivedAt } = run;
  return { taskId, kind, catrn, receivedAt, ranAt: ranAt(run), failed: isFailure(run) };
}

function isHistory(run: DecidingRun, before: DecidingRun): boolean {
  if (run.catrn === before.catrn) return false;
  return run.ranAt < before.ranAt || (run.ranAt === before.ranAt && run.catrn < before.catrn);
}

/** Whether a run without an end counts as later: it was received later, and its outcome differs. */
function endedLater(run: FinishedRun, before: DecidingRun): boolean {
  return !run.ended && run.receivedAt > before.receivedAt && isFailure(run) !== before.failed;
}

/** Orders by `ranAt`; runs dated in the future share one time, so their posted times decide. */
function byTime(a: FinishedRun, b: FinishedRun): number {
  return compare(ranAt(a), ranAt(b)) || compare(a.statedAt, b.statedAt) ||
    compare(a.catrn, b.catrn);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
