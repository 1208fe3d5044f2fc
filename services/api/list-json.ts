import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { requireFound } from "#kit/errors.ts";
import type { JsonRow, Queryable, Statement } from "#metadata/postgres/statement.ts";

/** The JSON text of the row that a statement returned. Throws 404 with the kind and the key of what it returned no row for. */
export function foundJson(rows: JsonRow[], kind: string, key: number | string): string {
  return requireFound(rows, kind, key).json;
}

/** A statement parameter such as `$2`. */
type Parameter = `$${number}`;

/** `LIMIT` and `OFFSET` of a page. */
type Window = [limit: Parameter, offset: Parameter];

/** SQL fragments of a list. They must be constant; user input is bound as parameters. */
interface ItemsSpec {
  /** JSON of one item. */
  each: string;
  /** Their order. */
  by: string;
  /** The rows of the page. */
  from: string;
}

export interface ListSpec extends ItemsSpec {
  /** The number of items on all pages. */
  total: string;
  /** The requested page; absent for a list that is not paged. */
  window?: Window;
  /** Additional members of the list, as arguments of `json_build_object`. */
  more?: string[];
}

/** SQL of a JSON array, which is empty when there are no rows. */
export function itemsJson({ each, by, from }: ItemsSpec): string {
  return `(SELECT coalesce(json_agg(${each} ORDER BY ${by}), '[]') FROM ${from})`;
}

/** SQL of a paged list, `pageOf` in the contract: `{items, page_info: {total, hasNext}}`. */
export function listJson({ total, window, more = [], ...items }: ListSpec): string {
  const info = `json_build_object('total', ${total}, 'hasNext', ${hasNext(total, window)})`;
  const members = [`'items', ${itemsJson(items)}`, ...more, `'page_info', ${info}`];
  return `json_build_object(${members.join(", ")})`;
}

/** A page of the rows that a statement has named `found`; `by` may only use their columns. */
type PageSpec = Pick<ListSpec, "each" | "by"> & { window: Window };

/** SQL to follow `WITH found AS (…)`: one row with the list as JSON text. */
export function listOfFound({ each, by, window }: PageSpec): string {
  const page = `SELECT * FROM found ORDER BY ${by} LIMIT ${window[0]} OFFSET ${window[1]}`;
  const list = listJson({ each, by, from: `(${page}) page`, total: "t.total", window });
  return `SELECT ${list}::text AS json FROM (SELECT count(*) AS total FROM found) t`;
}

/** SQL of whether more items follow the page. */
function hasNext(total: string, window?: Window): string {
  return window ? `${window[0]}::bigint + ${window[1]} < ${total}` : "false";
}

/** One page of what has `query` in its name, as JSON text; `list` binds $1 pattern of names, $2 limit, $3 offset. */
export async function pageByName(
  db: Queryable,
  list: Statement<JsonRow>,
  query: ListQuery,
): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const values = [containsPattern(query.query ?? ""), limit, offset];
  return (await db.query(list, values))[0]!.json;
}
