import { ofKind, textOf } from "../parse/ast.ts";
import { type Column, Columns, type Relation, renamed } from "./columns.ts";
import type { Ctes } from "./cte-names.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import type { Scope, Source } from "./scope.ts";
import type { Uses } from "./value.ts";

/** Tables and queries side by side: what their names mean, and the columns of a star. */
export interface Joined {
  sources: Source[];
  columns: Column[];
}

/** Where an item of FROM stands. */
export interface Place {
  ctes: Ctes | null;
  /** The query around it. */
  outer: Scope | null;
  /** The items before it, which it sees where it is lateral. */
  before: Joined;
  uses: Uses;
}

export const nothing: Joined = { sources: [], columns: [] };

/** Maximum number of columns of what a query reads. */
const maxColumns = 100_000;

export function besides(left: Joined, right: Joined): Joined {
  if (left.sources.length === 0) return right;
  if (right.sources.length === 0) return left;
  const columns = [...left.columns, ...right.columns];
  if (columns.length > maxColumns) throw new RangeError("too many columns");
  return { sources: [...left.sources, ...right.sources], columns };
}

/** An alias of a join hides the names in it. */
export function under(alias: Name, joined: Joined, names: Name[] = []): Joined {
  const columns = renamed(new Columns(joined.columns), names);
  return {
    sources: [{ alias, parts: [], columns, hasTwins: columns.hasTwins }],
    columns: [...columns.list],
  };
}

/** A query under a name. */
export function derived(
  relation: Relation,
  alias: Name | null,
  names: Name[],
  { uses }: Place,
): Joined {
  uses.include(relation.uses);
  const columns = renamed(relation.columns, names);
  return {
    sources: [{ alias, parts: [], columns, hasTwins: columns.hasTwins }],
    columns: [...columns.list],
  };
}

/** Names of a list of aliases for columns. */
export function namesOf(list: unknown): Name[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    const name = nameOfNode(one) ?? nameOfNode(ofKind(one, "column_def")?.name) ??
      nameOfNode(ofKind(one, "column")?.name);
    return name ?? nameOf(textOf(one) ?? "");
  });
}
