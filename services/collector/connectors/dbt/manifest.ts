import { z } from "zod";
import type { DbtSettings } from "#contract/connections/dbt.ts";
import { catrnsOf, type NamingSettings } from "#platform/naming/openlineage/names.ts";
import { joinTexts } from "#platform/naming/openlineage/parse.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";
import type { Artifacts } from "./artifacts.ts";

const optionalText = z.string().nullish().transform((value) => value ?? "");
const optionalTexts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).nullish()
  .transform((value) => value ?? []);
const freeMap = z.record(z.string(), z.unknown()).nullish()
  .transform((value) => new Map(Object.entries(value ?? {})));

const Column = z.object({
  name: z.string(),
  description: optionalText,
  data_type: optionalText,
  type: optionalText,
  tags: optionalTexts,
});

const nodeColumns = z.union([z.record(z.string(), Column), z.array(Column)]).nullish()
  .transform((value) => Object.values(value ?? {}));

const Config = z.object({
  materialized: optionalText,
  severity: optionalText,
  meta: freeMap,
  group: optionalText,
}).partial().nullish().transform((value) => value ?? {});

const DependsOn = z.object({ nodes: optionalTexts }).nullish()
  .transform((value) => [...new Set(value?.nodes ?? [])]);

/** The part of a node, source, exposure, metric or semantic model that is read; versions of dbt differ in the rest. */
export const Node = z.object({
  resource_type: optionalText,
  name: z.string().min(1),
  label: optionalText,
  package_name: optionalText,
  database: optionalText,
  schema: optionalText,
  alias: optionalText,
  identifier: optionalText,
  source_name: optionalText,
  description: optionalText,
  original_file_path: optionalText,
  url: optionalText,
  type: z.string().catch(""),
  loader: optionalText,
  group: optionalText,
  compiled_code: optionalText,
  compiled_sql: optionalText,
  column_name: optionalText,
  attached_node: optionalText,
  tags: optionalTexts,
  meta: freeMap,
  config: Config,
  columns: nodeColumns,
  entities: nodeColumns,
  dimensions: nodeColumns,
  measures: nodeColumns,
  depends_on: DependsOn,
  owner: z.object({ name: optionalText, email: z.unknown().optional() }).nullish(),
  test_metadata: z.object({ name: z.string(), kwargs: freeMap }).nullish(),
});
export type Node = z.output<typeof Node>;

/** Sections of a manifest with what becomes assets. */
export const nodeSections = [
  "nodes",
  "sources",
  "exposures",
  "metrics",
  "semantic_models",
  "saved_queries",
] as const;

/** Types of nodes that are read; others, such as analyses and hooks, leave nothing in a warehouse. */
const relationTypes = new Set(["model", "seed", "snapshot", "source"]);
const derivedTypes = new Set(["metric", "semantic_model", "saved_query"]);

/** What a node becomes; null of what is not read. */
type NodeKind = "relation" | "ephemeral" | "derived" | "exposure" | "test";

/** The type of a node is the beginning of its id: `model.shop.orders`. */
export const typeOf = (id: string) => id.slice(0, Math.max(0, id.indexOf(".")));

export function kindOf(id: string, node: Pick<Node, "config">): NodeKind | null {
  const type = typeOf(id);
  if (relationTypes.has(type)) {
    return node.config.materialized === "ephemeral" ? "ephemeral" : "relation";
  }
  if (derivedTypes.has(type)) return "derived";
  return type === "exposure" || type === "test" ? type : null;
}

export interface ManifestFacts {
  /** Version of the format; 0 when it is not a manifest. */
  version: number;
  dbt: string;
  adapter: string;
  /** Names the run of dbt that wrote it. */
  invocation: string;
}

/** What others call a node, by its id. */
interface NodeName {
  /** CATRN of the node itself. */
  own: string;
  /** CATRN of what others read: its table or view, or the node itself where it has none. */
  data: string;
  isView: boolean;
}

/** What is in memory of a manifest while its nodes are read one by one. */
export interface ManifestIndex {
  facts: ManifestFacts;
  names: ReadonlyMap<string, NodeName>;
  /** Names of owners by the name of their group. */
  groupOwners: ReadonlyMap<string, string>;
}

/** Reads the names of all nodes. Throws a `SourceError` for what is not a manifest. */
export async function readIndex(
  { settings, naming, source }: Session<DbtSettings>,
  artifacts: Artifacts,
  catalog: Catalog,
): Promise<ManifestIndex> {
  const names = new Map<string, NodeName>();
  const groupOwners = new Map<string, string>();
  const metadata = new Map<string, unknown>();
  const sections = ["metadata", "groups", ...nodeSections];
  const { warehouse } = settings;
  for await (const { section, key, value } of artifacts.entries("manifest.json", sections)) {
    if (section === "metadata") metadata.set(key, value);
    else if (section === "groups") addGroup(groupOwners, value);
    else {
      const node = Node.safeParse(value).data;
      const kind = node && kindOf(key, node);
      if (!node || !kind) continue;
      const own = nodeCatrn(source, key);
      const isView = catalog.isView(key) ?? /view/.test(node.config.materialized ?? "");
      const data = kind === "relation" ? relationCatrn({ warehouse, naming }, node, isView) : own;
      names.set(key, { own, data, isView });
    }
  }
  return { facts: requireManifest(factsOf(metadata)), names, groupOwners };
}

function addGroup(owners: Map<string, string>, value: unknown): void {
  const { name, owner } = Node.safeParse(value).data ?? {};
  const text = ownerName(owner);
  if (name !== undefined && text !== "") owners.set(name, text);
}

/** The name of an owner, else its address; dbt allows several addresses. */
export function ownerName(owner: Node["owner"]): string {
  if (!owner) return "";
  const [email] = [owner.email].flat();
  return owner.name || (typeof email === "string" ? email : "");
}

/** Reads what a manifest says of itself, and nothing more of it. */
export async function readFacts(artifacts: Artifacts): Promise<ManifestFacts> {
  const metadata = new Map<string, unknown>();
  const sections = ["metadata", ...nodeSections];
  for await (const { section, key, value } of artifacts.entries("manifest.json", sections)) {
    if (section !== "metadata") break;
    metadata.set(key, value);
  }
  return factsOf(metadata);
}

function factsOf(metadata: ReadonlyMap<string, unknown>): ManifestFacts {
  const text = (name: string) => String(metadata.get(name) ?? "");
  const [, version = "0"] = /\/manifest\/v(\d{1,4})/.exec(text("dbt_schema_version")) ?? [];
  return {
    version: Number(version),
    dbt: text("dbt_version"),
    adapter: text("adapter_type"),
    invocation: `${text("invocation_id")} ${text("generated_at")}`,
  };
}

/** Oldest version of manifests: that of dbt 1.0. */
const oldestVersion = 4;

/** Throws a `SourceError` for a manifest that cannot be read. */
export function requireManifest(facts: ManifestFacts): ManifestFacts {
  if (facts.version >= oldestVersion) return facts;
  const reason = facts.version === 0
    ? "it is not a manifest of dbt"
    : `its format v${facts.version} is older than v${oldestVersion}`;
  throw new SourceError("manifest.json", reason, "Write it with dbt 1.0 or newer");
}

/** A table or view in `catalog.json`. */
const CatalogRelation = z.object({
  metadata: z.object({ type: z.string().nullish(), comment: z.string().nullish() }),
  columns: z.record(
    z.string(),
    z.object({ name: z.string(), type: z.string(), index: z.number().catch(0) }),
  ),
});

/** A column as the warehouse has it. */
interface CatalogColumn {
  name: string;
  type: string;
}

/** What `catalog.json` knows of relations, by the id of their node. Columns stay text until they are needed. */
export class Catalog {
  readonly #relations = new Map<string, { isView: boolean; columns: string }>();

  /** Whether a node is a view; undefined when the catalog does not know it. */
  isView(id: string): boolean | undefined {
    return this.#relations.get(id)?.isView;
  }

  columns(id: string): CatalogColumn[] {
    const found = this.#relations.get(id);
    return found ? JSON.parse(found.columns) as CatalogColumn[] : [];
  }

  add(id: string, given: unknown): void {
    const parsed = CatalogRelation.safeParse(given);
    if (!parsed.success) return;
    const { metadata, columns } = parsed.data;
    const inOrder = Object.values(columns).sort((a, b) => a.index - b.index)
      .map(({ name, type }) => ({ name, type }));
    this.#relations.set(id, {
      isView: /view/i.test(metadata.type ?? ""),
      columns: JSON.stringify(inOrder),
    });
  }
}

/** Reads `catalog.json`; empty when there is none. */
export async function readCatalog(artifacts: Artifacts): Promise<Catalog> {
  const catalog = new Catalog();
  for await (const { key, value } of artifacts.entries("catalog.json", ["nodes", "sources"])) {
    catalog.add(key, value);
  }
  return catalog;
}

/** Under which segment of their CATRN nodes of a type stand. */
const segmentOfType = new Map([
  ["model", "models"],
  ["seed", "seeds"],
  ["snapshot", "snapshots"],
  ["source", "sources"],
  ["test", "tests"],
  ["exposure", "exposures"],
  ["metric", "metrics"],
  ["semantic_model", "semantic_models"],
  ["saved_query", "saved_queries"],
]);

/** `shop.orders` of `model.shop.orders`: how patterns and messages name a node. */
export const plainName = (id: string) => id.slice(typeOf(id).length + 1);

/** CATRN of a node in the project. */
export function nodeCatrn(source: string, id: string): string {
  const segment = segmentOfType.get(typeOf(id)) ?? "nodes";
  return cutTo(`${source}/${segment}/${escaped(plainName(id))}`);
}

/** CATRN of the table or view of a node, as the rules for the warehouse name it. */
function relationCatrn(
  { warehouse, naming }: { warehouse: string; naming: NamingSettings },
  node: Pick<Node, "database" | "schema" | "alias" | "identifier" | "name">,
  isView: boolean,
): string {
  const table = node.alias || node.identifier || node.name;
  const segments = [node.database, node.schema, table].filter((text) => text !== "");
  const { catrn } = catrnsOf({ namespace: warehouse, name: joinTexts(segments) }, naming);
  return isView ? viewCatrn(catrn) : catrn;
}

/** Collectors name views after what they are; the rules cannot know that from a name. */
function viewCatrn(catrn: string): string {
  const segments = catrn.split("/");
  if (segments.at(-2) === "tables") segments[segments.length - 2] = "views";
  return segments.join("/");
}

export const columnCatrn = (relation: string, column: string) =>
  cutTo(`${relation}/columns/${escaped(column)}`);
