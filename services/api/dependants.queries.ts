import type { Queryable } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";

/** Things of one kind that keep another from being deleted, by name. */
export interface Dependants {
  /** Such as `data sources`. */
  what: string;
  names: string[];
}

/** Names of one kind that are read: one more than are shown, to know whether there are others. */
export const readNames = 6;
/** Maximum length of a name in messages. */
const longestName = 100;

/**
 * A statement for what refers to row $1 of the kind `of`. `kinds` has for each kind of things the SQL of their `name`; as few
 * of them are read as are shown, however many there are.
 */
export function dependants(
  of: string,
  kinds: Record<string, string>,
): Statement<Dependants> {
  const each = Object.entries(kinds).map(([what, rows], place) => `
    SELECT ${place} AS place, '${what}' AS what, ARRAY(
      SELECT left(d.name, ${longestName}) FROM (${rows} LIMIT ${readNames}) d ORDER BY 1) AS names`);
  return statement<Dependants>(`${of}-dependants`)`
  SELECT k.what, k.names FROM (${
    each.join(" UNION ALL")
  }) k WHERE k.names <> '{}' ORDER BY k.place`;
}

/** What refers to a row, kind by kind; empty kinds are omitted. */
export async function dependantsOf(
  db: Queryable,
  question: Statement<Dependants>,
  id: number,
): Promise<Dependants[]> {
  return await db.query(question, [id]);
}
