import type { placeholders } from "#platform/config/traces.ts";
import { own } from "#kit/own.ts";
import type { Config } from "#platform/config/schema.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

/** Data as spans name it. */
export interface DatasetRef {
  kind: "database" | "topic";
  system: string;
  /** `host` or `host:port`. */
  address: string | null;
  database: string | null;
  target: string | null;
}

export type DatasetTemplates = Config["traces"]["datasets"];

export type Values = Record<(typeof placeholders)[number], string | null>;

/** What a reference means by its template. */
export interface TemplateMatch {
  template: string;
  values: Values;
  /** The span named no schema: the one in `values` is a guess. */
  schemaGuessed: boolean;
}

/** One text for each reference, for maps. */
export function datasetKey({ kind, system, address, database, target }: DatasetRef): string {
  return JSON.stringify([kind, system, address, database, target]);
}

/** Other names under which spans know a system. */
const aliases = new Map([
  ["postgres", "postgresql"],
  ["mariadb", "mysql"],
  ["aws.s3", "s3"],
  ["aws_s3", "s3"],
  ["microsoft.sql_server", "mssql"],
  ["oracle.db", "oracle"],
]);

const ports = new Map([
  ["postgresql", "5432"],
  ["mysql", "3306"],
  ["mongodb", "27017"],
  ["redis", "6379"],
  ["kafka", "9092"],
  ["mssql", "1433"],
  ["oracle", "1521"],
]);

/** Default schemas of systems whose spans have none; a guess. */
const schemas = new Map([["mssql", "dbo"], ["oracle", "unknown"]]);

/** Systems whose names are upper-case unless they are quoted. */
const upperCase = new Set(["oracle"]);

/** Databases whose tables are named `database.table`. */
const databaseQualified = new Set(["mysql", "clickhouse"]);

/** Chooses the template of a reference and what stands in its placeholders. */
export function nameDataset(ref: DatasetRef, templates: DatasetTemplates): TemplateMatch {
  const given = ref.system.toLowerCase();
  const system = aliases.get(given) ?? given;
  const template = templateOf(system, ref.kind, templates);
  const { host, port } = splitAddress(ref.address);
  const place = ref.kind === "topic"
    ? { database: ref.database, schema: null, target: ref.target }
    : placeOf(system, ref, template.includes("{schema}"));
  const guessed = place.schema === null && place.target !== null;
  const known = port ?? ports.get(system) ?? null;
  return {
    template,
    schemaGuessed: guessed,
    values: {
      ...place,
      system,
      host,
      address: ref.address,
      port: known,
      bootstrap: known === null || port !== null ? ref.address : ref.address && `${host}:${known}`,
      schema: guessed ? schemas.get(system) ?? "public" : place.schema,
    },
  };
}

function templateOf(system: string, kind: DatasetRef["kind"], all: DatasetTemplates): string {
  const { databases, queues, others, ...own } = all;
  const known = new Map(Object.entries({ ...own, ...others }));
  return known.get(system) ?? (kind === "topic" ? queues : databases);
}

/** Splits a name that combines several values by the conventions of a system. */
function placeOf(system: string, { database, target }: DatasetRef, schemas: boolean) {
  const plain = target === null ? null : unquoted(system, target);
  // `shop|sales`: PostgreSQL's namespace in the current conventions.
  const [base, namespaceSchema] = schemas ? (database ?? "").split("|") : [database ?? ""];
  const place = { database: base || null, schema: namespaceSchema ?? null, target: plain };
  if (system === "redis") return { ...place, database: base || "0" };
  const segments = plain?.split(".") ?? [];
  if (schemas && segments.length > 1) {
    const [name, schema, holder] = segments.reverse();
    return { database: holder ?? place.database, schema: schema!, target: name! };
  }
  if (databaseQualified.has(system) && segments.length === 2) {
    return { ...place, database: segments[0]!, target: segments[1]! };
  }
  if (system === "s3" && plain !== null) return { ...place, target: plain.split("/")[0]! };
  return place;
}

function unquoted(system: string, target: string): string {
  const plain = target.replace(/["`[\]]/g, "");
  return upperCase.has(system) && plain === target ? plain.toUpperCase() : plain;
}

/** `::1` has no port, `[::1]:99` and `db:99` have. */
function splitAddress(address: string | null): { host: string | null; port: string | null } {
  const at = address?.lastIndexOf(":") ?? -1;
  const bare = { host: address, port: null };
  if (address === null || at < 1 || !/^\d+$/.test(address.slice(at + 1))) return bare;
  const host = address.slice(0, at);
  return host.includes(":") && !host.endsWith("]") ? bare : { host, port: address.slice(at + 1) };
}

/**
 * The CATRN that a template gives. Where a value is not known it ends before the segment that would
 * hold it: a table that is not known gives its database. An unknown host is called `unknown`.
 */
export function fill(template: string, values: Values): string {
  const valueOf = (name: string) => own(values, name) ?? hostless(name);
  const unknown = template.matchAll(placeholder).find(([, name]) => valueOf(name!) === null);
  const known = unknown ? withoutLabel(template.slice(0, unknown.index)) : template;
  return cutTo(known.replace(placeholder, (_, name) => escaped(valueOf(name)!)));
}

const placeholder = /\{([^{}]*)\}/g;

function hostless(name: string): string | null {
  return ["host", "address", "bootstrap"].includes(name) ? "unknown" : null;
}

/** `…/databases/shop/tables/` without the label that nothing follows. */
function withoutLabel(text: string): string {
  return text.replace(/\/[^/]*\/[^/]*$/, "") || text;
}
