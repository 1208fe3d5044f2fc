import type { AirflowSettings } from "#contract/connections/airflow.ts";
import {
  catrnsOf,
  jobCatrn,
  type NameRef,
  type NamingSettings,
} from "#platform/naming/openlineage/names.ts";
import { joinName } from "#platform/naming/openlineage/parse.ts";

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
const tables = new Map([
  ["postgres", 3],
  ["postgresql", 3],
  ["mysql", 2],
  ["mariadb", 2],
  ["mssql", 3],
  ["trino", 3],
  ["redshift", 3],
  ["snowflake", 3],
]);
const stores = new Set(["s3", "s3a", "gs", "gcs", "abfs", "abfss", "wasb", "wasbs", "hdfs"]);

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
  if (stores.has(system)) return { namespace, name: path };
  if (system === "kafka" && segments.length === 1) return { namespace, name: segments[0]! };
  if (system === "bigquery" && segments.length === 2) {
    return { namespace: "bigquery", name: dotted([authority, ...segments]) };
  }
  return tables.get(system) === segments.length ? { namespace, name: dotted(segments) } : null;
}

const dotted = (segments: string[]) => joinName(segments.map((text) => ({ text, quoted: false })));

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
