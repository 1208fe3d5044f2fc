import type { Schema } from "#web/api/client.ts";

/** Keys of a CATRN whose values say where a system runs, which its data source stands for. */
const infrastructure = new Set(["host", "cloud", "account", "cluster", "warehouses", "region"]);
/** Keys whose values people know as places; below another key they may be anything, such as parts of the path of a file. */
const containers = new Set(
  [
    "databases",
    "schemas",
    "catalogs",
    "projects",
    "datasets",
    "sites",
    "workspaces",
    "dags",
    "buckets",
  ],
);

/** A place above an entity: its text, and the CATRN of what it stands for. */
interface Crumb {
  text: string;
  catrn: string;
}

/**
 * The places above an entity, from the outermost, without its data source: of
 * `//snowflake/host/h/databases/dwh/schemas/marts/tables/fct_orders` they are `dwh` and `marts`.
 */
export function crumbsOf(catrn: string): Crumb[] {
  const [, , , ...path] = catrn.split("/");
  if (!catrn.startsWith("//")) return [];
  const crumbs: Crumb[] = [];
  for (let at = 0; at < path.length - 2; at += 2) {
    const [key, value] = [path[at]!, path[at + 1]!];
    if (infrastructure.has(key)) continue;
    if (!containers.has(key) || value === "") break;
    crumbs.push({ text: value, catrn: catrn.split("/").slice(0, 5 + at).join("/") });
  }
  return crumbs;
}

/** The group of an entity that stands for a place above it. */
export function groupAt(of: Pick<Schema<"DataEntity">, "data_entity_groups">, { catrn }: Crumb) {
  return (of.data_entity_groups ?? []).find((group) => group.catrn === catrn);
}
