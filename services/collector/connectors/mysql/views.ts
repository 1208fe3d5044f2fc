import type { Item } from "../../connector.ts";
import { pairsIn, plainName, relationCatrn, type RelationName } from "./names.ts";

type Transformer = NonNullable<Item["data_transformer"]>;

/** Longest SQL of a view that is shown, in characters. */
export const maxSql = 100_000;

/** Tables and views of a server by `database.name`. */
export type KnownRelations = ReadonlyMap<string, RelationName>;

/**
 * What a view reads. The server keeps its query with every name qualified and quoted, so that tables are found without a
 * parser; `lineage.columns.from-sql` reads its columns from the SQL.
 */
export function viewTransformer(source: string, sql: string, known: KnownRelations): Transformer {
  const inputs = new Set<string>();
  for (const [database, name] of pairsIn(sql)) {
    const relation = known.get(plainName({ database, name }));
    if (relation) inputs.add(relationCatrn(source, relation));
  }
  return { inputs: [...inputs].sort(), outputs: [], sql: sql.slice(0, maxSql) };
}
