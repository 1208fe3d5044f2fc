import type { AirflowSettings } from "#contract/connections/airflow.ts";
import type { Item, Session } from "../../connector.ts";
import type { Asset, Dag, Task } from "./api.ts";
import { jobCatrnOf, taskName } from "./names.ts";

/** CATRNs of what DAGs and tasks read and write, by DAG id and by `dag.task`. */
export interface AssetUse {
  inputs: Map<string, Set<string>>;
  outputs: Map<string, Set<string>>;
}

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:airflow";

/** The owner that Airflow writes where a DAG names none. */
const nobody = "airflow";

const sorted = (catrns: Iterable<string> = []) => [...new Set(catrns)].sort();

function ownersOf(names: string[]): Pick<Item, "owners"> {
  const known = names.flatMap((one) => one.split(",")).map((name) => name.trim())
    .filter((name) => name !== "" && name !== nobody);
  return { owners: [...new Set(known)].sort().map((name) => ({ name })) };
}

/** Metadata without what is not known. */
function metadataOf(given: Record<string, unknown>): Pick<Item, "metadata"> {
  const known = Object.entries(given).filter(([, value]) =>
    value !== "" && value !== undefined && value !== null
  );
  return { metadata: [{ schema_url: extension, metadata: Object.fromEntries(known) }] };
}

/** The item of a DAG with its tasks as members; inputs are the assets that start it. */
export function dagItem(
  session: Session<AirflowSettings>,
  dag: Dag,
  tasks: Task[],
  use: AssetUse,
): Item {
  const { dag_id, dag_display_name, description, tags } = dag;
  const names = new Set(tags.map(({ name }) => name).filter((name) => name !== ""));
  const members = tasks.map(({ task_id }) => jobCatrnOf(session, taskName(dag_id, task_id)));
  return {
    catrn: jobCatrnOf(session, dag_id),
    name: dag_display_name || dag_id,
    type: "DAG",
    ...(description ? { description } : {}),
    ...ownersOf(dag.owners),
    ...(names.size > 0 ? { tags: [...names].sort().map((name) => ({ name })) } : {}),
    ...metadataOf({
      dag_id,
      schedule: dag.timetable_description || dag.timetable_summary || dag.schedule_interval,
      paused: dag.is_paused,
      file: dag.fileloc,
      url: `${session.settings.url.replace(/\/$/, "")}/dags/${encodeURIComponent(dag_id)}`,
    }),
    data_entity_group: { entities_list: sorted(members) },
    data_transformer: { inputs: sorted(use.inputs.get(dag_id)), outputs: [] },
  };
}

/** The item of a task. */
export function taskItem(
  session: Session<AirflowSettings>,
  dag: Dag,
  task: Task,
  use: AssetUse,
): Item {
  const { class_ref, operator_name, downstream_task_ids } = task;
  const name = taskName(dag.dag_id, task.task_id);
  return {
    catrn: jobCatrnOf(session, name),
    name,
    type: "JOB",
    ...(task.doc_md ? { description: task.doc_md } : {}),
    ...ownersOf([task.owner]),
    ...metadataOf({
      dag_id: dag.dag_id,
      task_id: task.task_id,
      operator: class_ref?.class_name || operator_name,
      module: class_ref?.module_path,
      trigger_rule: task.trigger_rule,
      pool: task.pool,
      queue: task.queue,
      mapped: task.is_mapped,
      downstream_tasks: downstream_task_ids.length > 0 ? downstream_task_ids.toSorted() : undefined,
    }),
    data_transformer: {
      inputs: sorted(use.inputs.get(name)),
      outputs: sorted(use.outputs.get(name)),
    },
  };
}

/** The item of an asset that only Airflow knows. */
export function assetItem(catrn: string, { name, uri, group }: Asset): Item {
  return {
    catrn,
    name: name || uri,
    type: "TABLE",
    ...metadataOf({ kind: "asset", uri, group }),
    dataset: { field_list: [] },
  };
}
