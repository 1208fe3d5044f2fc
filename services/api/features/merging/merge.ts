import { type PageQuery, pageWindow } from "#contract/http.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { type JsonRow, type Statement, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** What merging needs. */
export type Deps = Pick<Context, "db" | "log"> & {
  authorizer: Pick<Authorizer, "authorize" | "permissionsOf">;
};

/** A name and the spellings that were merged into it; none when there was nothing left to merge. */
export interface MergeResult extends Spelling {
  merged: Spelling[];
}

/** One merge: everything of the rows `from` moves to the row `into`, within a change. */
export interface Merge {
  change: Change;
  into: Spelling;
  from: Spelling[];
}

/**
 * Merges all rows whose names are spellings of one into the given row: `move` moves what refers to them, then they are deleted.
 * Repeating it changes nothing. Throws 404 for an unknown row.
 */
export function mergeSpellings(
  deps: Deps,
  actor: Caller,
  kind: Kind,
  id: number,
  move: (merge: Merge) => Promise<void>,
): Promise<MergeResult> {
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    const rows = await tx.query(spellings[kind], [id]);
    const into = rows.find((row) => row.id === id);
    if (!into) throw notFound(`${kind[0]!.toUpperCase()}${kind.slice(1)}`, id);
    const from = rows.filter((row) => row.id !== id);
    if (from.length > 0) {
      await move({ change, into, from });
      const { remove, unmark } = removals[kind];
      await tx.query(remove, [from.map((row) => row.id)]);
      await tx.query(unmark, [id]);
    }
    return { ...into, merged: from };
  });
}

/**
 * Locks entities, and those of columns by one id for each column, before what refers to the merged rows moves. Throws 400
 * when they are more than one transaction may move.
 */
export async function lockUses(
  { change, into, from }: Merge,
  entities: number[],
  ofColumns: number[] = [],
): Promise<void> {
  if (entities.length + ofColumns.length > maxMoved) {
    const names = from.map(({ name }) => name).join(", ");
    throw badRequest(
      `More than ${maxMoved} entities and columns use ${names}: merge ${into.name} into one of these instead`,
    );
  }
  await lockEntities(change.tx, [...new Set([...entities, ...ofColumns])]);
}

/** Whether two states of activity differ. */
export function differ(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/**
 * A statement that gives the row $1 the links that the rows $2 have in a table, and leaves theirs, which go with them.
 * `others`: the further columns of a link.
 */
// change-ok -- it makes a statement, which its caller runs
export function copyLinks(table: string, column: string, others: string[]): Statement {
  const rest = others.join(", ");
  return statement(nameOf(table, column))`
  INSERT INTO ${table} (${column}, ${rest})
  SELECT $1::bigint, ${rest} FROM ${table} WHERE ${column} = ANY($2::bigint[]) ON CONFLICT DO NOTHING`;
}

/** A statement that makes what refers to the rows $2 refer to the row $1. */
export function redirect(table: string, column: string): Statement {
  return statement(nameOf(table, column))`
  UPDATE ${table} SET ${column} = $1 WHERE ${column} = ANY($2::bigint[])`;
}

const nameOf = (table: string, column: string) => `merge-${table}-${column}`.replaceAll("_", "-");

/** Maximum number of entities and columns that one merge moves; each has an event in the feed. */
export const maxMoved = 100_000;

/** What has a name; spellings of one are merged. */
type Kind = "namespace" | "owner" | "tag" | "term";

/** A stored spelling; of a term, `name` is `namespace:term`. */
interface Spelling {
  id: number;
  name: string;
}

const spelled = (kind: Exclude<Kind, "term">) => `
    SELECT '${kind.toUpperCase()}' AS kind, x.folded AS key, '' AS within, x.id, x.name FROM ${kind} x
     WHERE x.folded IN (SELECT folded FROM ${kind} WHERE is_duplicate)`;

// Terms of namespaces with equal names are equal as well. Only few rows are marked; unmarked ones are not spellings.
const list = statement<JsonRow>("spellings-list")`
  WITH spelled AS (
    ${(["namespace", "owner", "tag"] as const).map(spelled).join(" UNION ALL ")}
    UNION ALL
    SELECT 'TERM', t.folded, n.folded, t.id, n.name || ':' || t.name
      FROM term t JOIN namespace n ON n.id = t.namespace_id
     WHERE n.folded IN (SELECT folded FROM namespace WHERE is_duplicate)
        OR t.folded IN (SELECT folded FROM term WHERE is_duplicate)
  ), found AS (
    SELECT kind, within, key, json_agg(json_build_object('id', id, 'name', name) ORDER BY id) AS spellings
      FROM spelled GROUP BY kind, within, key HAVING count(*) > 1)
  ${
  listOfFound({
    each: "json_build_object('kind', kind, 'spellings', spellings)",
    by: "kind, within, key",
    window: ["$1", "$2"],
  })
}`;

/** One page of names that are stored in several spellings; DuplicateNameList as JSON text. */
export async function listDuplicates({ db }: Pick<Context, "db">, page: PageQuery) {
  const { limit, offset } = pageWindow(page);
  return (await db.reads.query(list, [limit, offset]))[0]!.json;
}

const one = (kind: Exclude<Kind, "term">, lock: string) => `
  SELECT id, name FROM ${kind} WHERE folded = (SELECT folded FROM ${kind} WHERE id = $1) ORDER BY id ${lock}`;
const oneTerm = (lock: string) => `
  SELECT t.id, n.name || ':' || t.name AS name FROM term t JOIN namespace n ON n.id = t.namespace_id
   WHERE (n.folded, t.folded) = (SELECT m.folded, s.folded FROM term s JOIN namespace m ON m.id = s.namespace_id
                                  WHERE s.id = $1)
   ORDER BY t.id ${lock}`;

/** All spellings of the name of a row, locked against all that begins to refer to them; none for an unknown row. */
const spellings = {
  namespace: statement<Spelling>("spellings-lock-namespace")`${one("namespace", "FOR UPDATE")}`,
  owner: statement<Spelling>("spellings-lock-owner")`${one("owner", "FOR UPDATE")}`,
  tag: statement<Spelling>("spellings-lock-tag")`${one("tag", "FOR UPDATE")}`,
  term: statement<Spelling>("spellings-lock-term")`${oneTerm("FOR UPDATE OF t")}`,
};

/** All spellings of the name of a term. */
export const spellingsOfTerm = statement<Spelling>("spellings-of-term")`${oneTerm("")}`;

const removing = (kind: Kind) => ({
  remove: statement(`spellings-remove-${kind}`)`DELETE FROM ${kind} WHERE id = ANY($1::bigint[])`,
  unmark: statement(`spellings-unmark-${kind}`)`
    UPDATE ${kind} SET is_duplicate = false WHERE id = $1 AND is_duplicate`,
});
/** Delete spellings $1 that nothing refers to any more; `unmark`: the one that stays is no duplicate any more. */
const removals = {
  namespace: removing("namespace"),
  owner: removing("owner"),
  tag: removing("tag"),
  term: removing("term"),
};
