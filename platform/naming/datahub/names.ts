import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { FindingMemory } from "#platform/naming/catalogue.ts";
import {
  type CandidateName,
  type CandidateSegment,
  type DatasetKind,
  type Match,
  type NameRef,
  unknown,
} from "#platform/naming/model.ts";
import { catrnsOf, openLineageRoot } from "#platform/naming/openlineage/catrns.ts";
import { type NamingSettings, namingSettings } from "#platform/naming/openlineage/settings.ts";
import { resolveCandidates } from "#platform/naming/resolve-candidates.ts";
import { cutTo, segment } from "#platform/naming/text.ts";
import type { DatasetUrn } from "./urn.ts";

/** The environment that names mean when they give none. */
const usualEnv = "PROD";

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
interface DatasetName extends DatasetUrn {
  /** Its platform instance, as far as it was reported. */
  instance?: string;
}

/** What a name means by the rules alone. */
interface NamedDataset {
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

/** Of these the scheme is the name of the platform. */
const hosted = "postgres mysql clickhouse hive snowflake redshift mssql oracle trino presto " +
  "cassandra mongodb databricks kafka";

/** Platforms whose datasets are named as those of other producers. */
const platformRules = new Map<string, PlatformRule>([
  ...hosted.split(" ").map((name) => [name, { scheme: name, isHosted: true }] as const),
  ["mariadb", { scheme: "mysql", isHosted: true }],
  ["bigquery", { scheme: "bigquery", isHosted: false }],
  ["s3", { scheme: "s3", isHosted: false }],
  ["gcs", { scheme: "gs", isHosted: false }],
]);

/** Prefix of the CATRNs of everything that only DataHub's collectors report, and of their data sources. */
export const datahubRoot = "//datahub/platforms/";

/** CATRN of the data source of all that is reported of one platform. */
export function platformCatrn(platform: string): string {
  return datahubRoot + segment(platform);
}

/** CATRN of something of a platform that no rule of a system names: `kind` is a plural such as `dashboards`. */
export function ownCatrn(platform: string, kind: string, ...names: string[]): string {
  return cutTo(`${platformCatrn(platform)}/${kind}/${names.map(segment).join("/")}`);
}

/** CATRN of a dataset of a platform whose names no rule knows. */
function genericDatasetCatrn(platform: string, name: string, env: string): string {
  return env === usualEnv
    ? ownCatrn(platform, "datasets", name)
    : ownCatrn(platform, "environments", env, "datasets", name);
}

/** A name and the CATRN under which the catalogue knows what it names. */
export interface ResolvedDataset {
  catrn: string;
  kind: DatasetKind;
  match: Match;
  /** Whether a collector holds it, whose word has precedence; OpenLineage's has not. */
  catalogued: boolean;
  /** Several catalogued datasets may be meant, so none of them was taken. */
  ambiguous: boolean;
  /** As of `NamedDataset`, while the catalogue does not provide the host either. */
  lacksHost?: string;
}

const holders = statement<{ catrn: string; composed: boolean }>("datahub-naming-known")`
  SELECT e.catrn, coalesce(starts_with(s.catrn, $2), false) AS composed
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.catrn = ANY($1::text[]) AND NOT e.hollow AND is_live(e.status)
     AND (s.id IS NULL OR NOT starts_with(s.catrn, $3))`;

/**
 * What the catalogue knows datasets as, in the order of the names, in a fixed number of statements: what anybody else
 * holds under the CATRN of the rule; else what exists under exactly one that differs in spelling, or on an unknown
 * host; else the CATRN of the rule. What DataHub itself brought counts for nothing, so that order does not matter.
 */
export async function resolveDatasets(
  db: Queryable,
  names: readonly DatasetName[],
  settings: DatahubNaming,
  memory: FindingMemory,
): Promise<ResolvedDataset[]> {
  if (names.length === 0) return [];
  const named = names.map((name) => nameDataset(name, settings));
  const composed = new Map<string, boolean>();
  const known = async (catrns: string[]) => {
    const rows = await db.query(holders, [catrns, openLineageRoot, datahubRoot]);
    for (const row of rows) composed.set(row.catrn, row.composed);
    return new Set(rows.map(({ catrn }) => catrn));
  };
  const exact = await known([...new Set(named.map(({ catrn }) => catrn))]);
  const lost = named.filter(({ catrn, candidateName }) => candidateName && !exact.has(catrn));
  const candidates = lost.map(({ candidateName }) => candidateName!);
  const found = await resolveCandidates(db, candidates, { known, memory });
  const loose = new Map(lost.map((one, at) => [one, found[at]]));
  return named.map((one) => answer(one, exact.has(one.catrn), loose.get(one), composed));
}

function answer(
  { catrn, kind, generic, lacksHost }: NamedDataset,
  exact: boolean,
  loose: string | null | undefined,
  composed: Map<string, boolean>,
): ResolvedDataset {
  const existing = exact ? catrn : loose;
  if (typeof existing === "string") {
    const match = exact ? "exact" : "loose";
    return { catrn: existing, kind, match, catalogued: !composed.get(existing), ambiguous: false };
  }
  const match = generic ? "generic" : "template";
  const ambiguous = loose === null;
  const unresolved = { catrn, kind, match, catalogued: false, ambiguous } as const;
  return lacksHost === undefined ? unresolved : { ...unresolved, lacksHost };
}
