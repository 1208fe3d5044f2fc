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
import { hostSegment, redshiftSegment, snowflakeSegment } from "./hosts.ts";
import { type Address, type NameSegment, type ParsedNamespace, splitName } from "./parse.ts";

/** How one system names its tables. */
export interface TableRule {
  /** First segment of its CATRNs, and the name of the rule. */
  system: string;
  /** Schemes of its namespaces, the one that OpenLineage prescribes first. */
  schemes: string[];
  /** Default port, which CATRNs omit; null where namespaces have none. */
  port: string | null;
  /** Labels of the parts of a name, in the order of the name. */
  levels: string[];
  /** Labels in the order of the CATRN, where it is another one. */
  order?: string[];
  /** Part that a name may leave out, where the system has a usual one. */
  standard?: { level: string; text: string };
  /** Names are upper-case unless they are quoted: those from this level on. */
  upperFrom?: number;
  /** Names of more parts than levels lose their first ones; by default the last level takes the rest. */
  dropsFirst?: boolean;
  host?(address: Address, port: string): CandidateSegment;
}

const three = ["databases", "schemas", "tables"];
const cataloged = ["catalogs", "schemas", "tables"];
const two = ["databases", "tables"];

export const tableRules: TableRule[] = [
  { system: "postgresql", schemes: ["postgres", "postgresql"], port: "5432", levels: three },
  { system: "mysql", schemes: ["mysql", "mariadb"], port: "3306", levels: two, dropsFirst: true },
  { system: "clickhouse", schemes: ["clickhouse"], port: "8123", levels: two },
  { system: "singlestore", schemes: ["singlestore"], port: "3306", levels: two },
  { system: "hive", schemes: ["hive"], port: "10000", levels: two },
  {
    system: "snowflake",
    schemes: ["snowflake"],
    port: null,
    levels: three,
    upperFrom: 0,
    host: ({ host }) => snowflakeSegment(host),
  },
  {
    system: "redshift",
    schemes: ["redshift"],
    port: "5439",
    levels: three,
    host: redshiftSegment,
  },
  {
    system: "mssql",
    schemes: ["mssql", "sqlserver"],
    port: "1433",
    levels: three,
    standard: { level: "schemas", text: "dbo" },
  },
  {
    system: "oracle",
    schemes: ["oracle"],
    port: "1521",
    levels: three,
    order: ["schemas", "databases", "tables"],
    upperFrom: 1,
  },
  { system: "trino", schemes: ["trino"], port: "8080", levels: cataloged },
  { system: "presto", schemes: ["presto"], port: "8080", levels: cataloged },
  {
    system: "cassandra",
    schemes: ["cassandra"],
    port: "9042",
    levels: ["keyspaces", "tables"],
  },
  {
    system: "mongo",
    schemes: ["mongodb", "mongo", "mongodb+srv"],
    port: "27017",
    levels: ["databases", "collections"],
  },
  {
    system: "databricks_unity_catalog",
    schemes: ["databricks", "unitycatalog"],
    port: "443",
    levels: cataloged,
  },
];

const byScheme = new Map(tableRules.flatMap((rule) => rule.schemes.map((s) => [s, rule] as const)));

/** The candidate of a table; null when its namespace is that of no such system, undefined for a name of none. */
export function tableCandidate(
  namespace: ParsedNamespace,
  name: string,
): Candidate | null | undefined {
  const rule = byScheme.get(namespace.scheme);
  if (!rule) return null;
  const [address] = namespace.addresses;
  if (!address) return undefined;
  const values = valuesOf(rule, namespace, splitName(name));
  if (!values) return undefined;
  const host = (rule.host ?? hostSegment)(address, rule.port ?? "");
  const segments = [fixed(rule.system), fixed("host"), host];
  for (const level of rule.order ?? rule.levels) {
    segments.push(level === "tables" ? tables : fixed(level), values.get(level)!);
  }
  return candidate(rule.system, "TABLE", segments);
}

/** What stands at each level; null for a name without its last part. */
function valuesOf(
  rule: TableRule,
  namespace: ParsedNamespace,
  given: NameSegment[],
): Map<string, CandidateSegment> | null {
  const segments = fitted(rule, given);
  const last = segments.at(-1)!;
  if (last.text === "") return null;
  const lacking = rule.levels.length - segments.length;
  const values = rule.levels.map((level, at): [string, CandidateSegment] => {
    const segment = segments[at - lacking];
    if (segment && segment.text !== "") return [level, named(casedBy(rule, at, segment))];
    return [level, lackedBy(rule, level, at === 0 ? databaseOf(namespace) : null)];
  });
  return new Map(values);
}

function casedBy({ upperFrom = Infinity }: TableRule, at: number, segment: NameSegment): string {
  return at >= upperFrom && !segment.quoted ? segment.text.toUpperCase() : segment.text;
}

function lackedBy(
  { standard }: TableRule,
  level: string,
  fallback: string | null,
): CandidateSegment {
  if (fallback !== null) return named(fallback);
  return standard?.level === level ? assumed(standard.text) : unknown;
}

/** The database of a namespace, as some producers write it. */
function databaseOf({ path, parameters }: ParsedNamespace): string | null {
  const database = parameters.get("databasename") ?? parameters.get("database") ??
    path.split("/", 1)[0];
  return database ? database : null;
}

/** As many parts as there are levels, at most. */
function fitted({ levels, dropsFirst }: TableRule, segments: NameSegment[]): NameSegment[] {
  if (segments.length <= levels.length) return segments;
  if (dropsFirst) return segments.slice(-levels.length);
  const rest = segments.slice(levels.length - 1);
  const text = rest.map((segment) => segment.text).join(".");
  return [...segments.slice(0, levels.length - 1), { text, quoted: rest.some((p) => p.quoted) }];
}
