import type { AirflowSettings } from "#contract/connections/airflow.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { Dag, Task } from "./answers.ts";
import { AirflowApi } from "./api.ts";
import { assetFindings } from "./assets.ts";
import { type AssetUse, dagItem, taskItem } from "./items.ts";
import { jobCatrnOf } from "./names.ts";
import { runItems } from "./runs.ts";

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
      if (!parsed.success) yield unreadable(session, given);
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
    if (!(error instanceof SourceError)) throw error;
    const { reason, remedy } = error;
    const object = `DAG ${dag.dag_id}`;
    // Its tasks are not known: nothing may be removed.
    yield { kind: "problem", problem: { object, reason, remedy } };
  }
}

function taskOf(given: unknown): Task {
  const parsed = Task.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new SourceError("tasks", "its tasks cannot be read", "See the log of Airflow");
}

function unreadable(session: Session<AirflowSettings>, given: unknown): Finding {
  const id = typeof given === "object" && given !== null && "dag_id" in given ? given.dag_id : "";
  const name = typeof id === "string" ? id : "";
  const remedy = "See the log of Airflow";
  const problem = { object: `DAG ${name}`.trim(), reason: "its entry cannot be read", remedy };
  return { kind: "problem", problem, ...(name ? { catrn: jobCatrnOf(session, name) } : {}) };
}
