import type { Node } from "../parse/ast.ts";
import type { Relation } from "./columns.ts";
import type { Ctes } from "./cte-names.ts";
import type { Expressions } from "./expression.ts";
import type { Joined, Place } from "./joined.ts";
import type { Name } from "./names.ts";
import type { Names, Scope } from "./scope.ts";
import type { Tables } from "./tables.ts";
import type { Uses } from "./value.ts";

/** Reads the FROM of queries. */
export interface FromReader {
  read(select: Node, ctes: Ctes | null, outer: Scope | null, uses: Uses): Joined;
  item(node: unknown, place: Place): Joined;
  lateralScope(place: Place): Scope;
  unread(alias: Name | null): Joined;
}

/** What the parts of the reader of queries share. */
export interface QueryReader {
  readonly dialect: string;
  readonly tables: Tables;
  readonly names: Names;
  readonly expressions: Expressions;
  readonly from: FromReader;
  relationOf(node: Node, ctes: Ctes | null, outer: Scope | null): Relation;
}
