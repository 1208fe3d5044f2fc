import { escaped } from "#platform/naming/text.ts";

export interface RelationName {
  database: string;
  name: string;
  isView: boolean;
}

/** CATRN of a table or view, as the rules of `platform/naming` write it. */
export function relationCatrn(source: string, { database, name, isView }: RelationName): string {
  const group = isView ? "views" : "tables";
  return `${source}/databases/${escaped(database)}/${group}/${escaped(name)}`;
}

/** A relation as people write it, for messages and patterns. */
export const plainName = ({ database, name }: Pick<RelationName, "database" | "name">) =>
  `${database}.${name}`;
