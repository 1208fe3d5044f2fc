import { isNode, listOf, type Node, ofKind } from "../parse/ast.ts";
import { type Column, Columns, type KnownColumn, unknownColumns } from "./columns.ts";
import { type Joined, namesOf, type Place } from "./joined.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import { kindOf } from "./node-kinds.ts";
import type { QueryReader } from "./context.ts";
import { constant, union, type Value } from "./value.ts";

/** The columns of FLATTEN. */
const flattened = ["SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"].map((name) => nameOf(name));

/** A function in FROM: its columns are made of its arguments. `named` has its alias. */
export function tableFunction(
  node: unknown,
  named: Node,
  place: Place,
  queries: QueryReader,
): Joined {
  const pair = ofKind(node, "tuple");
  if (pair) return withDefinitions(pair, place, queries);
  const found = kindOf(node);
  if (!found) return queries.from.unread(nameOfNode(named.alias));
  const inner = unwrapped(found);
  const alias = nameOfNode(named.alias) ?? nameOfNode(inner.body.alias);
  const names = namesOf(named.column_aliases);
  const scope = queries.from.lateralScope(place);
  const read = (one: unknown) => raised(queries.expressions.valueOf(one, scope, place.uses));
  if (isReference(inner.kind)) return queries.from.unread(alias);
  const parts = inner.kind === "unnest"
    ? [inner.body.this, ...listOf(inner.body, "expressions")].map(read)
    : [read({ [inner.kind]: inner.body })];
  const made = union(parts);
  if (/^flatten$/i.test(String(inner.body.name))) {
    return sourceOf(
      alias,
      (names.length > 0 ? names : flattened).map((name) => ({ name, value: made })),
    );
  }
  if (names.length > 0) {
    const same = parts.length === names.length;
    return sourceOf(alias, names.map((name, at) => ({ name, value: same ? parts[at]! : made })));
  }
  const offset = nameOfNode(inner.body.offset_alias);
  return elements(alias, made, offset);
}

/** Elements under one name; without one the names of their fields are not known. */
function elements(alias: Name | null, made: Value, offset: Name | null): Joined {
  const place: KnownColumn[] = offset ? [{ name: offset, value: constant }] : [];
  if (!alias) return sourceOf(null, [unknownColumns({ made }), ...place]);
  const shown = [{ name: alias, value: made }, ...place];
  const columns = new Columns([...shown, unknownColumns({ made, hidden: true })]);
  return { sources: [{ alias, parts: [], columns }], columns: shown };
}

/** `f(x) AS t(a int, b text)`, which the parser divides. */
function withDefinitions(pair: Node, place: Place, queries: QueryReader): Joined {
  const [of, alias] = listOf(pair, "expressions");
  const table = ofKind(alias, "table_alias");
  if (!table) return queries.from.unread(null);
  const named = {
    alias: ofKind(table.this, "identifier") ?? table.this,
    column_aliases: table.columns,
  };
  return tableFunction(of, named, place, queries);
}

/** `LATERAL VIEW explode(a) t AS c` of Hive and Spark. */
export function lateralView(view: Node, place: Place, queries: QueryReader): Joined {
  const scope = queries.from.lateralScope(place);
  const made = raised(queries.expressions.valueOf(view.this, scope, place.uses));
  const names = namesOf(view.column_aliases);
  const columns: Column[] = names.length > 0
    ? names.map((name) => ({ name, value: made }))
    : [unknownColumns({ made })];
  return sourceOf(nameOfNode(view.table_alias), columns);
}

function sourceOf(alias: Name | null, columns: Column[]): Joined {
  return { sources: [{ alias, parts: [], columns: new Columns(columns) }], columns };
}

/** What a function makes is never the column itself. */
const raised = (value: Value) => union([value], 1);

/** A function within `TABLE(…)` or `LATERAL`. */
function unwrapped(found: { kind: string; body: Node }): { kind: string; body: Node } {
  const { kind, body } = found;
  const isTable = kind === "function" && /^table$/i.test(String(body.name));
  const inner = isTable ? listOf(body, "args")[0] : kind === "lateral" ? body.this : undefined;
  const next = isNode(inner) ? kindOf(inner) : undefined;
  return next ? unwrapped(next) : found;
}

/** Files and other things that are no function and have no structure. */
const isReference = (kind: string) =>
  ["stage_reference", "literal", "match_recognize", "table"].includes(kind);
