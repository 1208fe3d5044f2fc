import type { AirflowSettings } from "#contract/connections/airflow.ts";
import { runCatrn } from "#platform/naming/openlineage/names.ts";
import type { Item, Session } from "../../connector.ts";
import { type AirflowApi, DagRun, TaskInstance } from "./api.ts";
import { jobCatrnOf, taskName } from "./names.ts";

/** Most task instances of one run: a mapped task may have thousands. */
export const maxInstances = 1_000;

type Status = NonNullable<Item["data_transformer_run"]>["status"];

const statuses = new Map<string, Status>([
  ["success", "SUCCESS"],
  ["failed", "FAILED"],
  ["skipped", "SKIPPED"],
  ["upstream_failed", "SKIPPED"],
  ["removed", "ABORTED"],
  ...[
    "running",
    "queued",
    "scheduled",
    "restarting",
    "deferred",
    "up_for_retry",
    "up_for_reschedule",
  ]
    .map((state): [string, Status] => [state, "RUNNING"]),
]);

interface Times {
  state: string;
  start_date: string | null;
  end_date: string | null;
}

/** The run of a job; none of one that has not begun. */
function runItem(job: string, id: string, { state, start_date, end_date }: Times): Item[] {
  const status = statuses.get(state) ?? "UNKNOWN";
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

const byId = (of: string) => `dags/${encodeURIComponent(of)}/dagRuns`;

/** The newest runs of a DAG, and those of its tasks in the newest one. Throws a `SourceError`. */
export async function* runItems(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  dag: string,
): AsyncGenerator<Item> {
  const limit = session.settings.runs;
  if (limit === 0) return;
  const query = { limit, order_by: "-start_date" };
  const { entries } = await api.page(byId(dag), "dag_runs", query);
  const runs = entries.flatMap((one) => DagRun.safeParse(one).data ?? []);
  for (const run of runs) yield* runItem(jobCatrnOf(session, dag), run.dag_run_id, run);
  const newest = runs.find(({ start_date }) => start_date !== null);
  if (newest) yield* instanceItems(session, api, dag, newest);
}

async function* instanceItems(
  session: Session<AirflowSettings>,
  api: AirflowApi,
  dag: string,
  { dag_run_id }: DagRun,
): AsyncGenerator<Item> {
  const path = `${byId(dag)}/${encodeURIComponent(dag_run_id)}/taskInstances`;
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
