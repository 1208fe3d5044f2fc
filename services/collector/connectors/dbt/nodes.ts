import { z } from "zod";

const text = z.string().nullish().transform((value) => value ?? "");
const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).nullish()
  .transform((value) => value ?? []);
const freeMap = z.record(z.string(), z.unknown()).nullish()
  .transform((value) => new Map(Object.entries(value ?? {})));

const Column = z.object({
  name: z.string(),
  description: text,
  data_type: text,
  type: text,
  tags: texts,
});

const columns = z.union([z.record(z.string(), Column), z.array(Column)]).nullish()
  .transform((value) => Object.values(value ?? {}));

const Config = z.object({
  materialized: text,
  severity: text,
  meta: freeMap,
  group: text,
}).partial().nullish().transform((value) => value ?? {});

const DependsOn = z.object({ nodes: texts }).nullish()
  .transform((value) => [...new Set(value?.nodes ?? [])]);

/** The part of a node, source, exposure, metric or semantic model that is read; versions of dbt differ in the rest. */
export const Node = z.object({
  resource_type: text,
  name: z.string().min(1),
  label: text,
  package_name: text,
  database: text,
  schema: text,
  alias: text,
  identifier: text,
  source_name: text,
  description: text,
  original_file_path: text,
  url: text,
  type: z.string().catch(""),
  loader: text,
  group: text,
  compiled_code: text,
  compiled_sql: text,
  column_name: text,
  attached_node: text,
  tags: texts,
  meta: freeMap,
  config: Config,
  columns,
  entities: columns,
  dimensions: columns,
  measures: columns,
  depends_on: DependsOn,
  owner: z.object({ name: text, email: z.unknown().optional() }).nullish(),
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
