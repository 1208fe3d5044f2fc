import { type Item, metadataOf } from "../../connector.ts";
import { sqlFieldType } from "../../relational.ts";
import {
  type Catalog,
  columnCatrn,
  type ManifestIndex,
  type Node,
  ownerName,
  typeOf,
} from "./manifest.ts";

/** Longest SQL that is shown, in characters. */
export const maxSql = 100_000;

/** What items are made with. */
export interface ItemContext {
  index: ManifestIndex;
  catalog: Catalog;
}

type Owners = NonNullable<Item["owners"]>;

/** CATRNs of what a node depends on, in the order of the manifest. */
export function inputsOf({ names }: ManifestIndex, node: Node): string[] {
  const found = node.depends_on.flatMap((id) => names.get(id)?.data ?? []);
  return [...new Set(found)];
}

/** What all items of a node have: name, description, owners, tags and metadata. */
export function commonOf(
  { index }: ItemContext,
  id: string,
  node: Node,
): Pick<Item, "name" | "description" | "owners" | "tags" | "metadata"> {
  const owners = ownersOf(index, node);
  const tags = [...new Set(node.tags)].filter((name) => name !== "").map((name) => ({ name }));
  return {
    name: node.label || (node.source_name ? `${node.source_name}.${node.name}` : node.name),
    ...(node.description ? { description: node.description } : {}),
    ...(owners.length > 0 ? { owners } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    metadata: metadataOf("dbt", {
      unique_id: id,
      package: node.package_name || undefined,
      path: node.original_file_path || undefined,
      materialized: node.config.materialized || undefined,
      loader: node.loader || undefined,
      group: node.group || node.config.group || undefined,
      kind: typeOf(id) === "exposure" && node.type ? node.type : undefined,
      url: node.url || undefined,
    }),
  };
}

function ownersOf({ groupOwners }: ManifestIndex, node: Node): Owners {
  const given = node.config.meta?.get("owner") ?? node.meta.get("owner");
  const group = groupOwners.get(node.group || node.config.group || "");
  const names = [ownerName(node.owner), typeof given === "string" ? given : "", group ?? ""]
    .map((name) => name.trim()).filter((name) => name !== "");
  return [...new Set(names)].map((name) => ({ name }));
}

/** Items of a model, seed or snapshot: what makes the relation, and the relation; of a source the relation only. */
export function relationItems(context: ItemContext, id: string, node: Node): Item[] {
  const relation = relationItem(context, id, node);
  if (typeOf(id) === "source") return [relation];
  const { own, data } = context.index.names.get(id)!;
  return [{
    catrn: own,
    ...commonOf(context, id, node),
    type: "JOB",
    data_transformer: { inputs: inputsOf(context.index, node), outputs: [data], ...sqlOf(node) },
  }, relation];
}

function sqlOf(node: Node): { sql?: string } {
  const sql = node.compiled_code || node.compiled_sql;
  return sql === "" ? {} : { sql: sql.slice(0, maxSql) };
}

function relationItem({ index, catalog }: ItemContext, id: string, node: Node): Item {
  const { data, isView } = index.names.get(id)!;
  return {
    catrn: data,
    name: node.alias || node.identifier || node.name,
    type: isView ? "VIEW" : "TABLE",
    ...(node.description ? { description: node.description } : {}),
    dataset: { field_list: fieldsOf(data, catalog.columns(id), node.columns) },
  };
}

type Fields = NonNullable<Item["dataset"]>["field_list"];

/** Columns as the warehouse has them, else those that the project describes. */
function fieldsOf(
  relation: string,
  known: { name: string; type: string }[],
  described: Node["columns"],
): Fields {
  const byName = new Map(described.map((one) => [one.name.toLowerCase(), one]));
  const columns = known.length > 0
    ? known
    : described.map(({ name, data_type, type }) => ({ name, type: data_type || type }));
  const unique = new Map(columns.map((one) => [one.name, one]));
  return [...unique.values()].map(({ name, type }) => {
    const { description = "", tags = [] } = byName.get(name.toLowerCase()) ?? {};
    return {
      catrn: columnCatrn(relation, name),
      name,
      ...(description ? { description } : {}),
      ...(tags.length > 0 ? { tags: [...new Set(tags)].map((tag) => ({ name: tag })) } : {}),
      type: {
        type: sqlFieldType(type),
        ...(type ? { logical_type: type } : {}),
        is_nullable: true,
      },
    };
  });
}

/** The item of an ephemeral model, a metric or a semantic model: it has no table, so it is a dataset itself. */
export function derivedItem(context: ItemContext, id: string, node: Node): Item {
  const { own } = context.index.names.get(id)!;
  const columns = [...node.columns, ...node.entities, ...node.dimensions, ...node.measures];
  return {
    catrn: own,
    ...commonOf(context, id, node),
    type: "VIEW",
    dataset: { field_list: fieldsOf(own, [], columns) },
    data_transformer: { inputs: inputsOf(context.index, node), outputs: [], ...sqlOf(node) },
  };
}

/** The item of an exposure. */
export function exposureItem(context: ItemContext, id: string, node: Node): Item {
  return {
    catrn: context.index.names.get(id)!.own,
    ...commonOf(context, id, node),
    type: "DASHBOARD",
    data_consumer: { inputs: inputsOf(context.index, node) },
  };
}
