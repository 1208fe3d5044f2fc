import { catrnsOf, type NamingSettings } from "#platform/naming/openlineage/names.ts";
import { joinName } from "#platform/naming/openlineage/parse.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import { type Node, typeOf } from "./nodes.ts";

/** What assets of a type are grouped under. */
const groups = new Map([
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
  const group = groups.get(typeOf(id)) ?? "nodes";
  return cutTo(`${source}/${group}/${escaped(plainName(id))}`);
}

/** CATRN of the table or view of a node, as the rules for the warehouse name it. */
export function relationCatrn(
  { warehouse, naming }: { warehouse: string; naming: NamingSettings },
  node: Pick<Node, "database" | "schema" | "alias" | "identifier" | "name">,
  isView: boolean,
): string {
  const table = node.alias || node.identifier || node.name;
  const segments = [node.database, node.schema, table].filter((text) => text !== "");
  const name = joinName(segments.map((text) => ({ text, quoted: false })));
  const { catrn } = catrnsOf({ namespace: warehouse, name }, naming);
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
