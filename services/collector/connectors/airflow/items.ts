import type { AirflowSettings } from "#contract/connections/airflow.ts";
import {
  catrnsOf,
  jobCatrn,
  type NameRef,
  type NamingSettings,
} from "#platform/naming/openlineage/names.ts";
import { joinTexts } from "#platform/naming/openlineage/parse.ts";
import { type Item, metadataOf, type Session } from "../../connector.ts";
import type { Asset, Dag, Task } from "./api.ts";

/** CATRNs of what DAGs and tasks read and write, by DAG id and by `dag.task`. */
export interface AssetUse {
  inputs: Map<string, Set<string>>;
  outputs: Map<string, Set<string>>;
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
    ...knownMetadata({
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
    ...knownMetadata({
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
    ...knownMetadata({ kind: "asset", uri, group }),
    dataset: { field_list: [] },
  };
}

/** The owner that Airflow writes where a DAG names none. */
const nobody = "airflow";

function ownersOf(names: string[]): Pick<Item, "owners"> {
  const known = names.flatMap((one) => one.split(",")).map((name) => name.trim())
    .filter((name) => name !== "" && name !== nobody);
  return { owners: [...new Set(known)].sort().map((name) => ({ name })) };
}

/** Metadata without what is not known. */
function knownMetadata(given: Record<string, unknown>): Pick<Item, "metadata"> {
  const known = Object.entries(given).filter(([, value]) =>
    value !== "" && value !== undefined && value !== null
  );
  return { metadata: metadataOf("airflow", Object.fromEntries(known)) };
}

const sorted = (catrns: Iterable<string> = []) => [...new Set(catrns)].sort();

/** How jobs of one Airflow are named. */
interface JobNaming {
  settings: Pick<AirflowSettings, "namespace">;
  naming: NamingSettings;
}

/** `dag.task`, as OpenLineage names a task. */
export const taskName = (dag: string, task: string) => `${dag}.${task}`;

/** CATRN of a DAG, or by `dag.task` of a task: that of OpenLineage events. */
export function jobCatrnOf({ settings: { namespace }, naming }: JobNaming, name: string): string {
  return jobCatrn({ namespace, name }, naming);
}

/** The dataset that a URI means. */
interface AssetName {
  catrn: string;
  /** No rule knows it, so that nothing but Airflow describes it. */
  isOwn: boolean;
}

/** What an asset is called elsewhere: the dataset of its URI, or one of this Airflow. */
export function assetName({ settings: { namespace }, naming }: JobNaming, uri: string): AssetName {
  const ref = refOf(uri);
  const named = ref ? catrnsOf(ref, naming) : null;
  if (named && !named.generic) return { catrn: named.catrn, isOwn: false };
  return { catrn: catrnsOf({ namespace, name: uri }, naming).catrn, isOwn: true };
}

/** Parts of the path of a URI that name a table, by its scheme. */
const tableParts = new Map([
  ["postgres", 3],
  ["postgresql", 3],
  ["mysql", 2],
  ["mariadb", 2],
  ["mssql", 3],
  ["trino", 3],
  ["redshift", 3],
  ["snowflake", 3],
]);
const storeSchemes = new Set(["s3", "s3a", "gs", "gcs", "abfs", "abfss", "wasb", "wasbs", "hdfs"]);

/** Namespace and name as OpenLineage's provider for Airflow makes them of a URI; null where it makes none. */
function refOf(uri: string): NameRef | null {
  const [, scheme = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(uri) ?? [];
  const system = scheme.toLowerCase();
  if (system === "file") {
    return { namespace: authority ? `file://${authority}` : "file", name: path };
  }
  if (authority === "") return null;
  const segments = path.split("/").filter((segment) => segment !== "").map(decoded);
  const namespace = `${system}://${authority}`;
  if (storeSchemes.has(system)) return { namespace, name: path };
  if (system === "kafka" && segments.length === 1) return { namespace, name: segments[0]! };
  if (system === "bigquery" && segments.length === 2) {
    return { namespace: "bigquery", name: joinTexts([authority, ...segments]) };
  }
  return tableParts.get(system) === segments.length
    ? { namespace, name: joinTexts(segments) }
    : null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
