import {
  createAlerts,
  maxDescription,
  resolveAlerts,
  stackAlerts,
} from "#metadata/catalogue/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import {
  type AlertKey,
  type DecidingRun,
  decidingRunOf,
  failureText,
  type FinishedRun,
  isFailure,
  type KeyFindings,
  newRunsOf,
  type OpenAlert,
  planAlerts,
  taskKey,
} from "../alerts/rules.ts";
import { schemaBreaks } from "../alerts/schema-breaks.ts";
import type { ChangeSet } from "../change-set.ts";
import type { RunDraft } from "../chunk.ts";
import { Conflict } from "../failures.ts";
import { bigint, boolean, columns, text } from "../statement.ts";
import * as sql from "./alerts.queries.ts";
import { receivedAt } from "./entities.ts";

/**
 * Writes the alerts that follow from the signals of the other writes. The task of each run and the
 * entity of each broken schema are locked, so no other chunk changes the same alerts meanwhile. A
 * user can: if one reopens an alert at that moment, the chunk starts again.
 */
export async function writeAlerts(tx: Transaction, set: ChangeSet): Promise<void> {
  const runs = [...set.signals.runs.map((r) => finishedRunOf(r, set)), ...await lateRuns(tx, set)];
  const breaks = await breaksOf(tx, set);
  if (runs.length === 0 && breaks.size === 0) return;
  const { now, decidingRuns } = await readDecidingRuns(tx, runs);
  const newRuns = newRunsOf(runs, decidingRuns);
  if (newRuns.size === 0 && breaks.size === 0) return;
  const findings = await findingsOf(tx, [...newRuns.values()], breaks, { now, set });
  const { stacks, resolved, created } = planAlerts(findings, now);
  await stackAlerts(tx, stacks, now);
  await resolveAlerts(tx, resolved, now);
  const made = await createAlerts(tx, created, now);
  if (made.includes(null)) throw new Conflict("an alert was opened meanwhile");
  await remember(tx, [...newRuns.values()].map((list) => list.at(-1)!));
  set.alerts = { created: created.length, stacked: stacks.length, resolved: resolved.length };
}

function finishedRunOf(
  { catrn, kind, taskCatrn, item, run }: RunDraft,
  set: ChangeSet,
): FinishedRun {
  const { status, status_reason, start_time, end_time } = run;
  return {
    taskId: set.idOf(taskCatrn),
    kind,
    catrn,
    name: item.name,
    status,
    reason: status_reason || null,
    statedAt: end_time ?? start_time,
    ended: Boolean(end_time),
    receivedAt: receivedAt(set.identity),
  };
}

/**
 * The targets of a placeholder test are unknown, so its runs raise no alerts; its last run is evaluated when
 * the test arrives. (A batch of many chunks may well bring runs before their test.)
 */
async function lateRuns(tx: Transaction, set: ChangeSet): Promise<FinishedRun[]> {
  const late = set.changes.filter((change) =>
    change.created && !change.fresh && change.item.data_quality_test
  );
  if (late.length === 0) return [];
  const turned = new Set(set.signals.runs.map(({ catrn }) => catrn));
  const rows = await tx.query(sql.lastRuns, [late.map(({ id }) => id)]);
  return rows.filter(({ catrn }) => !turned.has(catrn));
}

async function breaksOf(tx: Transaction, { signals }: ChangeSet): Promise<Map<number, string[]>> {
  const { fields, links } = signals;
  const ids = fields.map(({ fieldId }) => fieldId);
  const stored = ids.length === 0 ? [] : await tx.query(sql.storedFields, [ids]);
  return schemaBreaks(fields, stored, links);
}

async function readDecidingRuns(tx: Transaction, runs: FinishedRun[]) {
  const tasks = [...new Set(runs.map((r) => r.taskId))];
  const rows = await tx.query(sql.decidingRuns, [tasks]);
  const isRun = (row: typeof rows[number]): row is typeof row & DecidingRun => row.taskId !== null;
  return { now: rows[0]!.now, decidingRuns: rows.filter(isRun) };
}

/** Maximum number of findings kept for all keys of a chunk together; beyond that, the last ones of each key. */
const maxFindings = 50_000;
/** Maximum number of characters of all texts together; when there are many, each is shortened. */
const maxText = 20_000_000;
/** None is shortened to less than this. */
const shortestText = 300;

/** The findings for every key that has an open alert, or may get one. */
async function findingsOf(
  tx: Transaction,
  newRuns: FinishedRun[][],
  breaks: Map<number, string[]>,
  { now, set }: { now: string; set: ChangeSet },
): Promise<KeyFindings[]> {
  const broken = [...breaks.keys()];
  const open = await openAlerts(tx, newRuns, broken);
  const failed = newRuns.filter((list) => list.some(isFailure) && !set.isDeleted(list[0]!.taskId));
  const raisable = await raisableKeys(tx, failed, broken, now);
  const keys = new Map([...open, ...raisable].map((key) => [textOfKey(key), key]));
  const opened = new Map(open.map((alert) => [textOfKey(alert), alert]));
  const mayRaise = new Set(raisable.map(textOfKey));
  const runsByTask = new Map(newRuns.map((list) => [taskKey(list[0]!), list]));
  const max = Math.max(1, Math.floor(maxFindings / Math.max(1, keys.size)));
  const texts = keys.size * Math.min(max, Math.max(0, ...newRuns.map((list) => list.length)));
  const longest = Math.min(
    maxDescription,
    Math.max(shortestText, Math.floor(maxText / (texts || 1))),
  );
  return [...keys].map(([text, { entityId, messengerId, type }]) => ({
    key: { entityId, messengerId, type },
    open: opened.get(text) ?? null,
    mayRaise: mayRaise.has(text),
    findings: type === "BACKWARDS_INCOMPATIBLE_SCHEMA"
      ? [breaks.get(entityId)!]
      : runsByTask.get(taskKey(taskOf(entityId, messengerId)))!.slice(-max).map((run) =>
        isFailure(run) ? [failureText(run, longest)] : null
      ),
  }));
}

/** The task whose runs decide about an alert. */
function taskOf(
  entityId: number,
  messengerId: number | null,
): Pick<FinishedRun, "taskId" | "kind"> {
  return messengerId === null
    ? { taskId: entityId, kind: "TRANSFORMER" }
    : { taskId: messengerId, kind: "TEST" };
}

function textOfKey({ entityId, type, messengerId }: AlertKey): string {
  return `${type} ${entityId} ${messengerId}`;
}

function openAlerts(
  tx: Transaction,
  newRuns: FinishedRun[][],
  broken: number[],
): Promise<OpenAlert[]> {
  const tasks = [tasksOf(newRuns, "TRANSFORMER"), tasksOf(newRuns, "TEST")];
  return tx.query(sql.open, [...tasks, broken]);
}

async function raisableKeys(
  tx: Transaction,
  failed: FinishedRun[][],
  broken: number[],
  now: string,
): Promise<AlertKey[]> {
  if (failed.length === 0 && broken.length === 0) return [];
  const tasks = [tasksOf(failed, "TRANSFORMER"), tasksOf(failed, "TEST")];
  return await tx.query(sql.raisable, [...tasks, broken, now]);
}

function tasksOf(newRuns: FinishedRun[][], kind: FinishedRun["kind"]): number[] {
  return newRuns.filter(([first]) => first!.kind === kind).map(([first]) => first!.taskId);
}

async function remember(tx: Transaction, last: FinishedRun[]): Promise<void> {
  if (last.length === 0) return;
  const rows = columns(
    last.map(decidingRunOf),
    bigint((r) => r.taskId),
    text((r) => r.kind),
    text((r) => r.catrn),
    text((r) => r.ranAt),
    text((r) => r.receivedAt),
    boolean((r) => r.failed),
  );
  await tx.query(sql.remember, rows);
}

/**
 * A data source that delivers can be reached, and its agent works: resolves the open alerts about it
 * that were raised before the batch was received.
 */
export async function resolveSourceAlerts(tx: Transaction, set: ChangeSet): Promise<void> {
  if (!set.hasOpenAlert) return;
  const open = await tx.query(sql.openOfSource, [set.sourceId, receivedAt(set.identity)]);
  if (open.length === 0) return;
  const { now } = open[0]!;
  await resolveAlerts(tx, open.map(({ id, type }) => ({ id, type, entityId: null })), now);
  set.alerts.resolved += open.length;
}
