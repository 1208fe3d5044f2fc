import { escaped } from "#platform/naming/text.ts";

/** `pg_class.relkind` of what is read. */
export type RelationKind = "r" | "p" | "v" | "m" | "f";

/** What PostgreSQL calls a relation of this kind. */
export const kindNames: Record<RelationKind, string> = {
  r: "table",
  p: "partitioned table",
  v: "view",
  m: "materialized view",
  f: "foreign table",
};

export interface RelationName {
  schema: string;
  name: string;
  kind: RelationKind;
}

export const isView = ({ kind }: Pick<RelationName, "kind">) => kind === "v" || kind === "m";

/** CATRN of a table or view, as the rules of `platform/naming` write it. */
export function relationCatrn(source: string, relation: RelationName): string {
  const group = isView(relation) ? "views" : "tables";
  return `${source}/schemas/${escaped(relation.schema)}/${group}/${escaped(relation.name)}`;
}

/** A relation as people write it, for messages and patterns. */
export const plainName = ({ schema, name }: Pick<RelationName, "schema" | "name">) =>
  `${schema}.${name}`;
