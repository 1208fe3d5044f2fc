import { escaped } from "#platform/naming/text.ts";
import {
  assumed,
  type Candidate,
  candidate,
  type CandidateSegment,
  fixed,
  named,
  tables,
  unknown,
} from "#platform/naming/model.ts";
import { localHost, untold } from "./files.ts";
import { brokersSegment, kafkaPort } from "./hosts.ts";
import { type NameSegment, type ParsedNamespace, splitName } from "./parse.ts";
import type { NamingSettings } from "./settings.ts";

type CloudRule = (
  namespace: ParsedNamespace,
  name: string,
  settings: NamingSettings,
) => Candidate | undefined;

const rules = new Map<string, CloudRule>([
  ["bigquery", bigquery],
  ["awsathena", athena],
  ["athena", athena],
  ["kafka", kafka],
  ["duckdb", duckdb],
]);

/** The candidate of what names of its own kind address; null for no such namespace, undefined for a name of none. */
export function cloudCandidate(
  namespace: ParsedNamespace,
  name: string,
  settings: NamingSettings,
): Candidate | null | undefined {
  if (namespace.scheme.startsWith("arn:")) return glue(namespace.scheme, name);
  const rule = rules.get(namespace.scheme);
  return rule ? rule(namespace, name, settings) : null;
}

/** Parts joined again, as a project whose name holds dots. */
const joined = (segments: NameSegment[]) => segments.map(({ text }) => text).join(".");

function bigquery(_: ParsedNamespace, name: string, { gcpProject }: NamingSettings) {
  const segments = splitName(name);
  const table = withoutDecorator(segments.pop()!.text);
  const dataset = segments.pop()?.text ?? "";
  // `project:dataset.table`, as older SQL writes it.
  const colon = segments.length === 0 ? dataset.lastIndexOf(":") : -1;
  const given = colon < 0 ? joined(segments) : dataset.slice(0, colon);
  const tableName = dataset.slice(colon + 1);
  if (table === "" || tableName === "") return undefined;
  const project = given === "" ? assumed(gcpProject ?? untold) : named(given);
  return candidate("bigquery_storage", "TABLE", [
    ...[fixed("bigquery_storage"), fixed("cloud"), fixed("gcp"), fixed("project"), project],
    ...[fixed("datasets"), named(tableName), tables, named(table)],
  ], { warnings: given === "" && gcpProject === null ? ["incomplete"] : [] });
}

/** A table of BigQuery without `$partition` and `@snapshot`. */
function withoutDecorator(table: string): string {
  const at = table.search(/[$@]/);
  return at > 0 ? table.slice(0, at) : table;
}

/** Catalogue of Athena that a name may omit. */
const standardCatalog = "AwsDataCatalog";

function athena({ addresses }: ParsedNamespace, name: string, { awsAccount }: NamingSettings) {
  const region = /^athena\.([a-z0-9-]+)\./.exec(addresses[0]?.host ?? "")?.[1];
  const segments = splitName(name);
  const table = joined(segments.splice(2));
  const [first, second] = segments.map(({ text }) => text);
  const three = table !== "";
  const [catalog, database, last] = three
    ? [named(first!), second, table]
    : [assumed(standardCatalog), first, second];
  if (!region || !database || !last) return undefined;
  const account = assumed(awsAccount ?? untold);
  return candidate("athena", "TABLE", [
    ...[fixed("athena"), ...inAws(account, region)],
    ...[fixed("catalogs"), catalog, fixed("databases"), named(database), tables, named(last)],
  ], { warnings: awsAccount === null ? ["incomplete"] : [] });
}

function inAws(account: CandidateSegment, region: string): CandidateSegment[] {
  const place = [fixed("cloud"), fixed("aws"), fixed("account"), account];
  return [...place, fixed("region"), fixed(escaped(region))];
}

/** `arn:aws:glue:region:account` and `table/database/table`. */
function glue(arn: string, name: string): Candidate | null | undefined {
  const [, partition = "", service, region, account] = arn.split(":");
  if (!partition.startsWith("aws") || service !== "glue") return null;
  const [kind, database, ...rest] = name.split("/");
  const table = rest.join("/");
  if (kind !== "table" || !database || !table || !region || !account) return undefined;
  return candidate("glue", "TABLE", [
    ...[fixed("glue"), ...inAws(fixed(escaped(account)), region)],
    ...[fixed("databases"), named(database), fixed("tables"), named(table)],
  ]);
}

function kafka({ addresses }: ParsedNamespace, topic: string) {
  const [broker, ...others] = addresses.map(({ host, port }) => ({
    host,
    port: port ?? kafkaPort,
  }));
  if (!broker || topic === "") return undefined;
  const brokers = brokersSegment(broker, others);
  const host = [fixed("kafka"), fixed("host"), brokers];
  const topics = [fixed("topics"), fixed(escaped(topic))];
  const cluster = { ...assumed(`${broker.host}:${broker.port}`), fits: () => true };
  // Some collectors write no cluster.
  return candidate("kafka", "KAFKA_TOPIC", [...host, fixed("clusters"), cluster, ...topics], {
    forms: [[...host, ...topics]],
  });
}

/** The host is the file of the database, or nothing that identifies it. */
function duckdb({ location }: ParsedNamespace, name: string) {
  const segments = splitName(name).filter(({ text }) => text !== "");
  const table = joined(segments.splice(2)) || segments.pop()?.text;
  if (!table) return undefined;
  const schema = segments.pop()?.text;
  const catalog = segments.pop()?.text;
  const host: CandidateSegment = { text: escaped(location || localHost), fits: () => true };
  return candidate("duckdb", "TABLE", [
    ...[
      fixed("duckdb"),
      fixed("host"),
      host,
      fixed("catalogs"),
      catalog ? named(catalog) : unknown,
    ],
    ...[fixed("schemas"), schema ? named(schema) : assumed("main"), fixed("tables"), named(table)],
  ]);
}
