import { badRequest, notFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import * as queries from "#services/api/features/merging/spellings.queries.ts";

/** What merging needs. */
export type Deps = Pick<Context, "db" | "log"> & {
  authorizer: Pick<Authorizer, "authorize" | "permissionsOf">;
};

/** A name and the spellings that were merged into it; none when there was nothing left to merge. */
export interface MergeResult extends queries.Spelling {
  merged: queries.Spelling[];
}

/** One merge: everything of the rows `from` moves to the row `into`, within a change. */
export interface Merge {
  change: Change;
  into: queries.Spelling;
  from: queries.Spelling[];
}

/**
 * Merges all rows whose names are spellings of one into the given row: `move` moves what refers to them, then they are deleted.
 * Repeating it changes nothing. Throws 404 for an unknown row.
 */
export function mergeSpellings(
  deps: Deps,
  actor: Caller,
  kind: queries.Kind,
  id: number,
  move: (merge: Merge) => Promise<void>,
): Promise<MergeResult> {
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    const rows = await queries.lockSpellings(tx, kind, id);
    const into = rows.find((row) => row.id === id);
    if (!into) throw notFound(`${kind[0]!.toUpperCase()}${kind.slice(1)}`, id);
    const from = rows.filter((row) => row.id !== id);
    if (from.length > 0) {
      await move({ change, into, from });
      await queries.removeSpellings(tx, kind, id, from.map((row) => row.id));
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
