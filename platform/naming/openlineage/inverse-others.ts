import { unescaped } from "#platform/naming/text.ts";
import { hdfsPort, localHost } from "./files.ts";
import type { NameRef } from "./model.ts";
import { addressOf, joinName } from "./parse.ts";

/** Labels of a segment of tables. */
export const tablesOrViews = ["tables", "views"];

/**
 * The values of segments whose labels are these, in their order; a label may be one of several. Undefined for
 * other labels.
 */
export function valuesAt(
  segments: string[],
  labels: (string | string[])[],
): string[] | undefined {
  if (segments.length !== labels.length * 2) return undefined;
  const fit = labels.every((label, at) => [label].flat().includes(segments[at * 2]!));
  return fit ? segments.filter((_, at) => at % 2 === 1).map(unescaped) : undefined;
}

type Inverse = (segments: string[]) => NameRef | undefined;

const inverses = new Map<string, Inverse>([
  ["bigquery_storage", bigquery],
  ["athena", athena],
  ["glue", glue],
  ["duckdb", duckdb],
  ["kafka", kafka],
  ["s3", (segments) => stored("s3", segments, ["cloud", "buckets"])],
  ["gcs", gcs],
  ["blob_storage", blobs],
  ["hdfs", hdfs],
  ["filesystem", local],
]);

/** The name of what follows the first segment of a CATRN of this system; undefined for one of no rule. */
export function inverseOf(system: string, segments: string[]): NameRef | undefined {
  return inverses.get(system)?.(segments);
}

const quotable = (texts: string[]) => joinName(texts.map((text) => ({ text, quoted: false })));

/** The project keeps its dots, as BigQuery writes it. */
function bigquery(segments: string[]): NameRef | undefined {
  const values = inCloud(segments, "gcp", ["project", "datasets", tablesOrViews]);
  if (!values) return undefined;
  const [project, ...names] = values;
  return { namespace: "bigquery", name: `${project}.${quotable(names)}` };
}

function athena(segments: string[]): NameRef | undefined {
  const labels = ["account", "region", "catalogs", "databases", tablesOrViews];
  const values = inCloud(segments, "aws", labels);
  if (!values) return undefined;
  const [, region, ...names] = values;
  return { namespace: `awsathena://athena.${region}.amazonaws.com`, name: quotable(names) };
}

function glue(segments: string[]): NameRef | undefined {
  const values = inCloud(segments, "aws", ["account", "region", "databases", "tables"]);
  if (!values) return undefined;
  const [account, region, database, table] = values;
  return { namespace: `arn:aws:glue:${region}:${account}`, name: `table/${database}/${table}` };
}

function duckdb(segments: string[]): NameRef | undefined {
  const values = valuesAt(segments, ["host", "catalogs", "schemas", "tables"]);
  if (!values) return undefined;
  const [host, ...names] = values;
  return { namespace: `duckdb://${host}`, name: quotable(names) };
}

/** The first broker of a list stands for it. */
function kafka(segments: string[]): NameRef | undefined {
  const clustered = valuesAt(segments, ["host", "clusters", "topics"]);
  const values = clustered ?? valuesAt(segments, ["host", "topics"]);
  if (!values) return undefined;
  const { host, port } = addressOf(values[0]!.split(",", 1)[0]!);
  return { namespace: `kafka://${host}:${port ?? "9092"}`, name: values.at(-1)! };
}

function gcs(segments: string[]): NameRef | undefined {
  const values = inCloud(segments, "gcp", ["project", "buckets", "keys"]) ??
    inCloud(segments, "gcp", ["project", "buckets"]);
  return values && { namespace: `gs://${values[1]}`, name: values[2] ?? "/" };
}

function stored(
  scheme: string,
  segments: string[],
  labels: string[],
): NameRef | undefined {
  const values = valuesAt(segments, [...labels, "keys"]) ?? valuesAt(segments, labels);
  return values && { namespace: `${scheme}://${values[1]}`, name: values[2] ?? "/" };
}

function blobs(segments: string[]): NameRef | undefined {
  const values = inCloud(segments, "azure", ["account", "container", "keys"]) ??
    inCloud(segments, "azure", ["account", "container"]);
  if (!values) return undefined;
  const [account, container, key] = values;
  return {
    namespace: `abfss://${container}@${account}.dfs.core.windows.net`,
    name: key ?? "/",
  };
}

function hdfs(segments: string[]): NameRef | undefined {
  const values = valuesAt(segments, ["host", "paths"]);
  if (!values) return undefined;
  const { host, port } = addressOf(values[0]!);
  return { namespace: `hdfs://${host}:${port ?? hdfsPort}`, name: values[1]! };
}

function local(segments: string[]): NameRef | undefined {
  const values = valuesAt(segments, ["host", "path"]);
  if (!values) return undefined;
  const [host, path] = values;
  return { namespace: host === localHost ? "file" : `file://${host}`, name: path! };
}

function inCloud(segments: string[], cloud: string, labels: (string | string[])[]) {
  const [kind, name, ...rest] = segments;
  return kind === "cloud" && name === cloud ? valuesAt(rest, labels) : undefined;
}
