import { z } from "zod";
import type { AirflowSettings } from "#contract/connections/airflow.ts";
import { runCatrn } from "#platform/naming/openlineage/names.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import {
  type Finding,
  isIncluded,
  type Item,
  problemFinding,
  type Session,
} from "../../connector.ts";
import { AirflowApi, Asset, Dag, DagRun, Task, TaskInstance } from "./api.ts";
import {
  assetItem,
  assetName,
  type AssetUse,
  dagItem,
  jobCatrnOf,
  taskItem,
  taskName,
} from "./items.ts";

/** Reads the assets, then DAG by DAG its tasks and runs. */
export async function* readAirflow(session: Session<AirflowSettings>): AsyncGenerator<Finding> {
  const api = await AirflowApi.open(session);
  try {
    const use: AssetUse = { inputs: new Map(), outputs: new Map() };
    yield* assetFindings(session, api, use);
    const read = new Set<string>();
    const query = { order_by: "dag_id", ...(api.isThree ? {} : { only_active: "true" }) };
    for await (const given of api.entries("dags", "dags", query)) {
      const parsed = Dag.safeParse(given);
      if (!parsed.success) yield unreadableDag(session, given);
      // A DAG that is added meanwhile shifts the next page.
      else if (!read.has(parsed.data.dag_id) && isIncluded(parsed.data.dag_id, session.settings)) {
        read.add(parsed.data.dag_id);
        yield* dagFindings(session, api, parsed.data, use);
      }
    }
  } finally {
    await api.close();
  }
}

/** A DAG whose tasks or runs cannot be read costs itself only. */
async function* dagFindings(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  dag: Dag,
  use: AssetUse,
): AsyncGenerator<Finding> {
  try {
    const path = `dags/${encodeURIComponent(dag.dag_id)}/tasks`;
    const { entries } = await api.page(path, "tasks", {});
    const tasks = entries.map(taskOf).sort((a, b) => a.task_id < b.task_id ? -1 : 1);
    yield { kind: "item", item: dagItem(session, dag, tasks, use) };
    for (const task of tasks) yield { kind: "item", item: taskItem(session, dag, task, use) };
    for await (const item of runItems(session, api, dag.dag_id)) yield { kind: "item", item };
  } catch (error) {
    session.signal.throwIfAborted();
    // Its tasks are not known: nothing may be removed.
    yield problemFinding(`DAG ${dag.dag_id}`, error);
  }
}

function taskOf(given: unknown): Task {
  const parsed = Task.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new SourceError("tasks", "its tasks cannot be read", "See the log of Airflow");
}

function unreadableDag(session: Session<AirflowSettings>, given: unknown): Finding {
  const name = z.object({ dag_id: z.string() }).safeParse(given).data?.dag_id ?? "";
  return unreadable(`DAG ${name}`, name ? jobCatrnOf(session, name) : undefined);
}

/**
 * Reads the assets, and notes in `use` who uses them. One that a rule names is described by its own source, and only
 * lineage leads to it.
 */
async function* assetFindings(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  use: AssetUse,
): AsyncGenerator<Finding> {
  const published = new Set<string>();
  const list = api.isThree ? "assets" : "datasets";
  for await (const given of api.entries(list, list, { order_by: "id" })) {
    const parsed = Asset.safeParse(given);
    if (!parsed.success) {
      const uri = z.object({ uri: z.string() }).safeParse(given).data?.uri ?? "";
      yield unreadable(`asset ${uri.slice(0, 200)}`);
      continue;
    }
    const { catrn, isOwn } = assetName(session, parsed.data.uri);
    if (!noteUse(session.settings, use, catrn, parsed.data)) continue;
    if (!isOwn || published.has(catrn)) continue;
    published.add(catrn);
    yield { kind: "item", item: assetItem(catrn, parsed.data) };
  }
}

/** Whether a DAG that is read uses it. */
function noteUse(
  settings: AirflowSettings,
  { inputs, outputs }: AssetUse,
  catrn: string,
  asset: Asset,
): boolean {
  const note = (side: Map<string, Set<string>>, users: Asset["producing_tasks"]) => {
    const read = users.filter(({ dag_id }) => isIncluded(dag_id, settings));
    for (const { dag_id, task_id } of read) {
      const user = task_id === "" ? dag_id : taskName(dag_id, task_id);
      side.set(user, (side.get(user) ?? new Set()).add(catrn));
    }
    return read.length > 0;
  };
  const { consuming_dags, scheduled_dags, consuming_tasks, producing_tasks } = asset;
  const isRead = note(inputs, [...consuming_dags, ...scheduled_dags, ...consuming_tasks]);
  return note(outputs, producing_tasks) || isRead;
}

function unreadable(name: string, catrn?: string): Finding {
  const problem = {
    object: name.trim(),
    reason: "its entry cannot be read",
    remedy: "See the log of Airflow",
  };
  return { kind: "problem", problem, catrn };
}

const runsPath = (of: string) => `dags/${encodeURIComponent(of)}/dagRuns`;

/** The newest runs of a DAG, and those of its tasks in the newest one. Throws a `SourceError`. */
async function* runItems(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  dag: string,
): AsyncGenerator<Item> {
  const limit = session.settings.runs;
  if (limit === 0) return;
  const query = { limit, order_by: "-start_date" };
  const { entries } = await api.page(runsPath(dag), "dag_runs", query);
  const runs = entries.flatMap((one) => DagRun.safeParse(one).data ?? []);
  for (const run of runs) yield* runItem(jobCatrnOf(session, dag), run.dag_run_id, run);
  const newest = runs.find(({ start_date }) => start_date !== null);
  if (newest) yield* instanceItems(session, api, dag, newest);
}

/** Most task instances of one run: a mapped task may have thousands. */
export const maxInstances = 1_000;

async function* instanceItems(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  dag: string,
  { dag_run_id }: DagRun,
): AsyncGenerator<Item> {
  const path = `${runsPath(dag)}/${encodeURIComponent(dag_run_id)}/taskInstances`;
  let count = 0;
  for await (const given of api.entries(path, "task_instances")) {
    if (++count > maxInstances) return;
    const instance = TaskInstance.safeParse(given).data;
    if (!instance) continue;
    const { task_id, map_index } = instance;
    const isMapped = typeof map_index === "number" && map_index >= 0;
    const id = isMapped ? `${dag_run_id}.${map_index}` : dag_run_id;
    yield* runItem(jobCatrnOf(session, taskName(dag, task_id)), id, instance);
  }
}

type Status = NonNullable<Item["data_transformer_run"]>["status"];

const runStatuses = new Map<string, Status>([
  ["success", "SUCCESS"],
  ["failed", "FAILED"],
  ["skipped", "SKIPPED"],
  ["upstream_failed", "SKIPPED"],
  ["removed", "ABORTED"],
  ["running", "RUNNING"],
  ["queued", "RUNNING"],
  ["scheduled", "RUNNING"],
  ["restarting", "RUNNING"],
  ["deferred", "RUNNING"],
  ["up_for_retry", "RUNNING"],
  ["up_for_reschedule", "RUNNING"],
]);

interface Times {
  state: string;
  start_date: string | null;
  end_date: string | null;
}

/** The run of a job; none of one that has not begun. */
function runItem(job: string, id: string, { state, start_date, end_date }: Times): Item[] {
  const status = runStatuses.get(state) ?? "UNKNOWN";
  const isOver = end_date !== null && status !== "RUNNING";
  // A task that failed before it began has an end only.
  const startedAt = start_date ?? (isOver ? end_date : null);
  if (startedAt === null) return [];
  return [{
    catrn: runCatrn(job, id),
    name: id,
    type: "JOB_RUN",
    data_transformer_run: {
      transformer_catrn: job,
      start_time: startedAt,
      ...(isOver ? { end_time: end_date } : {}),
      status,
    },
  }];
}
