import { type NameRef, segmentsOf } from "#platform/naming/model.ts";
import { nameOfSegment, unescaped } from "#platform/naming/text.ts";
import { catrnNamespace, openLineageRoot } from "./catrns.ts";
import { hdfsPort, localHost } from "./files.ts";
import { redshiftShort } from "./hosts.ts";
import { addressOf, joinName, joinTexts } from "./parse.ts";
import { type TableRule, tableRules } from "./tables.ts";

// All that others need of OpenLineage's names: CATRNs by the rules alone, or as the catalogue knows them (`resolveNames`).
export type {
  DatasetKind,
  Match,
  NameRef,
  NamingWarning,
  ResolvedName,
} from "#platform/naming/model.ts";
export { segment } from "#platform/naming/text.ts";
export { type NamingMemory, namingMemory } from "#platform/naming/catalogue.ts";
export {
  catrnNamespace,
  catrnsOf,
  genericCatrn,
  jobCatrn,
  type NamedDataset,
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
  runCatrn,
  testCatrn,
} from "./catrns.ts";
export { cleanDataset, cleanNamespace } from "./clean.ts";
export { resolveNames } from "./resolve.ts";
export { type NamingSettings, namingSettings } from "./settings.ts";

/**
 * The name that OpenLineage gives the dataset of a CATRN: the one that it prescribes, with the port that is
 * usual; undefined when no rule makes such CATRNs.
 */
export function openLineageNameOf(catrn: string): NameRef | undefined {
  if (!catrn.startsWith("//")) return undefined;
  const segments = segmentsOf(catrn);
  if (catrn.startsWith(openLineageRoot)) return ofOurs(segments, "datasets");
  const [system = "", ...rest] = segments;
  const rule = tableRules.find((one) => one.system === system);
  return rule ? ofTable(rule, rest) : nameBy(inverses.get(system), rest);
}

/**
 * The name under which a dataset is exported: `openLineageNameOf`, else its CATRN, which is read back as it is, but for
 * that of a lookup table.
 */
export function exportedName(catrn: string): NameRef {
  return openLineageNameOf(catrn) ?? { namespace: catrnNamespace, name: catrn };
}

/** The name under which a job is exported: that which events gave it, else its CATRN, which is read back as it is. */
export function exportedJobName(catrn: string): NameRef {
  const given = catrn.startsWith(openLineageRoot) ? ofOurs(segmentsOf(catrn), "jobs") : undefined;
  return given ?? { namespace: catrnNamespace, name: catrn };
}

function ofOurs(
  [, , namespace, kind, name, ...rest]: string[],
  wanted: "datasets" | "jobs",
): NameRef | undefined {
  if (kind !== wanted || name === undefined || rest.length > 0) return undefined;
  const [given, own] = [nameOfSegment(namespace!), nameOfSegment(name)];
  return given === undefined || own === undefined ? undefined : { namespace: given, name: own };
}

function ofTable(rule: TableRule, segments: string[]): NameRef | undefined {
  const order = rule.order ?? rule.levels;
  const labels = order.map((level) => (level === "tables" ? tablesOrViews : level));
  const values = valuesAt(segments, ["host", ...labels]);
  if (!values) return undefined;
  const [host, ...names] = values;
  const levelNames = rule.levels.map((level, at) => {
    const text = names[order.indexOf(level)]!;
    const upper = at >= (rule.upperFrom ?? Infinity);
    return { text, quoted: upper && text !== text.toUpperCase() };
  });
  return {
    namespace: `${rule.schemes[0]}://${authorityOf(rule, host!)}`,
    name: nameOf(rule, levelNames),
  };
}

/** A collection's name may hold dots without quotes. */
function nameOf(rule: TableRule, segments: { text: string; quoted: boolean }[]): string {
  const last = segments.at(-1)!;
  const dotted = rule.levels.at(-1) === "collections" && !/^["`[]|\.["`[]/.test(last.text);
  return dotted ? `${joinName(segments.slice(0, -1))}.${last.text}` : joinName(segments);
}

function authorityOf({ system, port }: TableRule, host: string): string {
  if (system === "snowflake") return host.replace(/\.snowflakecomputing\.com$/i, "").toLowerCase();
  const address = addressOf(host);
  const name = system === "redshift" ? redshiftShort(address.host) ?? address.host : address.host;
  const shownPort = address.port ?? (portless.has(system) ? null : port);
  return shownPort === null ? name : `${name}:${shownPort}`;
}

/** Systems whose namespaces omit the port unless it is unusual. */
const portless = new Set(["databricks_unity_catalog"]);

/** Labels of a segment of tables. */
const tablesOrViews = ["tables", "views"];

/**
 * The values of segments whose labels are these, in their order; a label may be one of several. Undefined for
 * other labels.
 */
function valuesAt(
  segments: string[],
  labels: (string | string[])[],
): string[] | undefined {
  if (segments.length !== labels.length * 2) return undefined;
  const fit = labels.every((label, at) => [label].flat().includes(segments[at * 2]!));
  return fit ? segments.filter((_, at) => at % 2 === 1).map(unescaped) : undefined;
}

/** CATRNs of a system without a rule of tables: the labels of their segments, and the name of the values. */
interface Inverse {
  /** Of the first segments, where the system is one of a cloud. */
  cloud?: "gcp" | "aws" | "azure";
  /** One of these; those that end with more come first. */
  labels: (string | string[])[][];
  name: (values: string[]) => NameRef;
}

/** For systems without a rule of tables. */
const inverses = new Map<string, Inverse>([
  ["bigquery_storage", {
    cloud: "gcp",
    labels: [["project", "datasets", tablesOrViews]],
    // The project keeps its dots, as BigQuery writes it.
    name: ([project, ...names]) => ({
      namespace: "bigquery",
      name: `${project}.${joinTexts(names)}`,
    }),
  }],
  ["athena", {
    cloud: "aws",
    labels: [["account", "region", "catalogs", "databases", tablesOrViews]],
    name: ([, region, ...names]) => ({
      namespace: `awsathena://athena.${region}.amazonaws.com`,
      name: joinTexts(names),
    }),
  }],
  ["glue", {
    cloud: "aws",
    labels: [["account", "region", "databases", "tables"]],
    name: ([account, region, database, table]) => ({
      namespace: `arn:aws:glue:${region}:${account}`,
      name: `table/${database}/${table}`,
    }),
  }],
  ["duckdb", {
    labels: [["host", "catalogs", "schemas", "tables"]],
    name: ([host, ...names]) => ({ namespace: `duckdb://${host}`, name: joinTexts(names) }),
  }],
  ["kafka", {
    labels: [["host", "clusters", "topics"], ["host", "topics"]],
    name: (values) => {
      // The first broker of a list stands for it.
      const { host, port } = addressOf(values[0]!.split(",", 1)[0]!);
      return { namespace: `kafka://${host}:${port ?? "9092"}`, name: values.at(-1)! };
    },
  }],
  ["s3", {
    labels: [["cloud", "buckets", "keys"], ["cloud", "buckets"]],
    name: ([, bucket, key = "/"]) => ({ namespace: `s3://${bucket}`, name: key }),
  }],
  ["gcs", {
    cloud: "gcp",
    labels: [["project", "buckets", "keys"], ["project", "buckets"]],
    name: ([, bucket, key = "/"]) => ({ namespace: `gs://${bucket}`, name: key }),
  }],
  ["blob_storage", {
    cloud: "azure",
    labels: [["account", "container", "keys"], ["account", "container"]],
    name: ([account, container, key = "/"]) => ({
      namespace: `abfss://${container}@${account}.dfs.core.windows.net`,
      name: key,
    }),
  }],
  ["hdfs", {
    labels: [["host", "paths"]],
    name: ([given, path]) => {
      const { host, port } = addressOf(given!);
      return { namespace: `hdfs://${host}:${port ?? hdfsPort}`, name: path! };
    },
  }],
  ["filesystem", {
    labels: [["host", "path"]],
    name: ([host, path]) => ({
      namespace: host === localHost ? "file" : `file://${host}`,
      name: path!,
    }),
  }],
]);

/** The name of what follows the first segment of a CATRN; undefined when no rule makes it. */
function nameBy(inverse: Inverse | undefined, segments: string[]): NameRef | undefined {
  if (!inverse) return undefined;
  const { cloud, labels, name } = inverse;
  const [kind, cloudName, ...ofCloud] = segments;
  if (cloud && (kind !== "cloud" || cloudName !== cloud)) return undefined;
  for (const some of labels) {
    const values = valuesAt(cloud ? ofCloud : segments, some);
    if (values) return name(values);
  }
  return undefined;
}
