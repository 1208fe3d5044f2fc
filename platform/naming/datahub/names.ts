import type { Config } from "#platform/config/schema.ts";
import type { CandidateName, CandidateSegment } from "#platform/naming/candidate-name.ts";
import { unknown } from "#platform/naming/openlineage/candidate.ts";
import type { DatasetKind, NameRef } from "#platform/naming/openlineage/model.ts";
import { catrnsOf } from "#platform/naming/openlineage/rules.ts";
import { type NamingSettings, namingSettings } from "#platform/naming/openlineage/settings.ts";
import { genericDatasetCatrn, usualEnv } from "./catrns.ts";
import type { DatasetUrn } from "./urn.ts";

/** The operator's settings for names of DataHub. */
export interface DatahubNaming {
  /** By `platform`, `platform/instance` or `platform/environment`, in lower case. */
  hosts: ReadonlyMap<string, string>;
  rules: NamingSettings;
}

/** The settings of names out of the configuration. */
export function datahubNaming(config: Pick<Config, "openlineage" | "datahub">): DatahubNaming {
  return { hosts: config.datahub.hosts, rules: namingSettings(config.openlineage) };
}

/** A dataset as collectors of DataHub name it. */
export interface DatasetName extends DatasetUrn {
  /** Its platform instance, as far as it was reported. */
  instance?: string;
}

/** What a name means by the rules alone. */
export interface NamedDataset {
  kind: DatasetKind;
  catrn: string;
  /** Whether a rule of a system made it. */
  generic: boolean;
  /** What of the catalogue may be meant; null when nothing but `catrn` can be. */
  candidateName: CandidateName | null;
  /** The key of `datahub.hosts` that would name its host; undefined when the host is known or none is needed. */
  lacksHost?: string;
}

/** The CATRN of a dataset's name by the rules, without reading the catalogue. Never throws. */
export function nameDataset(given: DatasetName, settings: DatahubNaming): NamedDataset {
  const { platform, env } = given;
  const rule = platformRules.get(platform);
  if (!rule) return generic(given);
  const { instance, name } = placed(given, settings);
  const host = hostOf({ platform, env, instance }, settings);
  if (!rule.isHosted || host !== undefined) {
    return ruled(given, refOf(rule, host, name), settings);
  }
  const lacksHost = instance === undefined ? keyOf(platform, env) : `${platform}/${instance}`;
  const assumedHost = instance ?? (env === usualEnv ? "unknown" : `unknown-${env.toLowerCase()}`);
  const assumed = ruled(given, refOf(rule, assumedHost, name), settings);
  // A name of another environment or instance is no name of the only host that is known.
  const isCertain = instance === undefined && env === usualEnv;
  const candidateName = isCertain && assumed.candidateName
    ? withoutHost(assumed.candidateName)
    : null;
  return { ...assumed, candidateName, lacksHost };
}

const keyOf = (platform: string, env: string) => env === usualEnv ? platform : `${platform}/${env}`;

/** The instance of a name, which stands before it as well, and the rest. */
function placed(
  { platform, name, instance }: DatasetName,
  { hosts }: DatahubNaming,
): { instance?: string; name: string } {
  const first = name.split(".", 1)[0]!;
  const known = instance ?? (hosts.has(`${platform}/${first}`.toLowerCase()) ? first : undefined);
  if (known === undefined) return { name };
  const prefix = `${known}.`;
  return { instance: known, name: name.startsWith(prefix) ? name.slice(prefix.length) : name };
}

function hostOf(
  { platform, env, instance }: Pick<DatasetName, "platform" | "env" | "instance">,
  { hosts }: DatahubNaming,
): string | undefined {
  const key = instance === undefined ? keyOf(platform, env) : `${platform}/${instance}`;
  return hosts.get(key.toLowerCase());
}

function refOf(
  { scheme, isHosted }: PlatformRule,
  host: string | undefined,
  name: string,
): NameRef {
  if (isHosted) return { namespace: `${scheme}://${host}`, name };
  if (scheme === "bigquery") return { namespace: scheme, name };
  const slash = name.indexOf("/");
  const [bucket, path] = slash < 0 ? [name, "/"] : [name.slice(0, slash), name.slice(slash + 1)];
  return { namespace: `${scheme}://${bucket}`, name: path };
}

function ruled(given: DatasetName, ref: NameRef, { rules }: DatahubNaming): NamedDataset {
  const { kind, catrn, generic: isGeneric, candidateName } = catrnsOf(ref, rules);
  if (isGeneric) return { ...generic(given), kind, candidateName };
  return { kind, catrn, generic: false, candidateName };
}

function generic({ platform, name, env }: DatasetName): NamedDataset {
  const catrn = genericDatasetCatrn(platform, name, env);
  return { kind: "TABLE", catrn, generic: true, candidateName: null };
}

/** The same name on any host. */
function withoutHost({ systems, forms }: CandidateName): CandidateName {
  const anyHost = (form: CandidateSegment[]) =>
    form.map((one, at) => at === 2 && form[1]!.text === "host" ? unknown : one);
  return { exact: "", systems, forms: forms.map(anyHost) };
}

/** How OpenLineage, whose rules name datasets, writes the namespace of a platform of DataHub. */
interface PlatformRule {
  scheme: string;
  /** Whether its namespaces hold a host, which DataHub does not report. */
  isHosted: boolean;
}

const hosted = (scheme: string): PlatformRule => ({ scheme, isHosted: true });

/** Platforms whose datasets are named as those of other producers. */
const platformRules: ReadonlyMap<string, PlatformRule> = new Map([
  ["postgres", hosted("postgres")],
  ["mysql", hosted("mysql")],
  ["mariadb", hosted("mysql")],
  ["clickhouse", hosted("clickhouse")],
  ["hive", hosted("hive")],
  ["snowflake", hosted("snowflake")],
  ["redshift", hosted("redshift")],
  ["mssql", hosted("mssql")],
  ["oracle", hosted("oracle")],
  ["trino", hosted("trino")],
  ["presto", hosted("presto")],
  ["cassandra", hosted("cassandra")],
  ["mongodb", hosted("mongodb")],
  ["databricks", hosted("databricks")],
  ["kafka", hosted("kafka")],
  ["bigquery", { scheme: "bigquery", isHosted: false }],
  ["s3", { scheme: "s3", isHosted: false }],
  ["gcs", { scheme: "gs", isHosted: false }],
]);
