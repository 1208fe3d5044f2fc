import { isNode, isQuery, kindOf, listOf, type Node, ofKind, segmentsOf } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  constant,
  type KnownColumn,
  renamed,
  union,
  unknownColumns,
  type Uses,
  type Value,
} from "./columns.ts";
import {
  besides,
  derived,
  type FromReader,
  type Joined,
  joinedWith,
  namesOf,
  nothingJoined,
  type Place,
  type QueryReader,
  sourceOf,
  underAlias,
} from "./joins.ts";
import { type Ctes, openScope, type Scope } from "./scope.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import { pivoted, unpivoted } from "./pivot.ts";

/** Reads the FROM of queries. */
export class From implements FromReader {
  constructor(private readonly queries: QueryReader) {}

  /** All that a SELECT reads. */
  read(select: Node, ctes: Ctes | null, outer: Scope | null, uses: Uses): Joined {
    const from = isNode(select.from) ? listOf(select.from, "expressions") : [];
    const place = (before: Joined): Place => ({ ctes, outer, before, uses });
    let done = nothingJoined;
    // Joins belong to the last of the items that commas divide.
    let group = nothingJoined;
    for (const item of from) {
      done = besides(done, group);
      group = this.item(item, place(done));
    }
    for (const join of listOf(select, "joins")) {
      if (!isNode(join)) continue;
      if (join.kind === "Implicit") {
        done = besides(done, group);
        group = this.item(join.this, place(done));
      } else group = joinedWith(group, join, place(besides(done, group)), this.queries);
    }
    let all = besides(done, group);
    for (const view of listOf(select, "lateral_views")) {
      if (isNode(view)) all = besides(all, lateralView(view, place(all), this.queries));
    }
    return all;
  }

  /** One table, query or join. */
  item(node: unknown, place: Place): Joined {
    const found = kindOf(node);
    if (!found) return this.unread(null);
    const { kind, body } = found;
    if (isQuery(node)) return this.#query(node, body, place, body.lateral === true);
    switch (kind) {
      case "table":
        return this.#table(body, place);
      case "paren":
        return this.item(body.this, place);
      case "joined_table":
        return this.#joined(body, place);
      case "alias":
        return this.#aliased(body, place);
      case "pivot":
        return pivoted(body, place, this.queries);
      case "unpivot":
        return unpivoted(body, place, this.queries);
      case "lateral":
        return isQuery(body.this)
          ? this.#query(body.this, body, place, true)
          : tableFunction(body.this, body, place, this.queries);
      default:
        return tableFunction(node, body, place, this.queries);
    }
  }

  /** What an item of FROM sees of those before it. */
  lateralScope({ outer, ctes, before }: Place): Scope {
    return openScope(outer, ctes, before.sources, new Columns(before.columns));
  }

  unread(alias: Name | null): Joined {
    return sourceOf(alias, [unknownColumns({ gap: { reason: "statement", at: undefined } })]);
  }

  #query(node: Node, named: Node, place: Place, isLateral: boolean): Joined {
    const scope = isLateral ? this.lateralScope(place) : place.outer;
    const relation = this.queries.relationOf(node, place.ctes, scope);
    return derived(relation, nameOfNode(named.alias), namesOf(named.column_aliases), place);
  }

  #table(table: Node, place: Place): Joined {
    const parts = segmentsOf(table, this.queries.dialect);
    const alias = nameOfNode(table.alias);
    const own = parts.map((part) => nameOf(part, isNode(table.name) && table.name.quoted === true));
    const field = this.#arrayOf(own, alias, place);
    if (field) return field;
    const cte = parts.length === 1 ? place.ctes?.find(own[0]!.lower) : undefined;
    const names = namesOf(table.column_aliases);
    if (cte) return derived(cte, alias ?? own[0]!, names, place);
    const relation = this.queries.tables.relationOf(parts);
    place.uses.include(relation.uses);
    const columns = renamed(relation.columns, names);
    return { sources: [{ alias, parts: own, columns }], columns: [...columns.list] };
  }

  /** BigQuery's `FROM t, t.items`: the elements of an array of a table before it. */
  #arrayOf(parts: Name[], alias: Name | null, place: Place): Joined | undefined {
    const { names } = this.queries;
    if (parts.length < 2) return undefined;
    const scope = this.lateralScope(place);
    const source = place.before.sources.length > 0 && names.source(parts.slice(0, 1), scope);
    if (!source || !source.alias && source.parts.length > 1) return undefined;
    const made = names.resolve(parts, scope, undefined);
    return elements(alias ?? parts.at(-1)!, made, null);
  }

  #joined(body: Node, place: Place): Joined {
    let group = this.item(body.left, place);
    for (const join of listOf(body, "joins")) {
      if (!isNode(join)) continue;
      const inner = { ...place, before: besides(place.before, group) };
      group = joinedWith(group, join, inner, this.queries);
    }
    for (const view of listOf(body, "lateral_views")) {
      if (isNode(view)) {
        group = besides(group, lateralView(view, { ...place, before: group }, this.queries));
      }
    }
    const alias = nameOfNode(body.alias);
    return alias ? underAlias(alias, group) : group;
  }

  #aliased(body: Node, place: Place): Joined {
    const { kind } = kindOf(body.this) ?? {};
    if (kind === "paren" || kind === "joined_table") {
      const alias = nameOfNode(body.alias);
      const inner = this.item(body.this, place);
      return alias ? underAlias(alias, inner, namesOf(body.column_aliases)) : inner;
    }
    if (isQuery(body.this)) return this.#query(body.this, body, place, false);
    if (kind === "table") {
      const { alias, column_aliases } = body;
      return this.#table({ ...ofKind(body.this, "table"), alias, column_aliases }, place);
    }
    return tableFunction(body.this, body, place, this.queries);
  }
}

/** The columns of FLATTEN. */
const flattened = ["SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"].map((name) => nameOf(name));

/** A function in FROM: its columns are made of its arguments. `named` has its alias. */
function tableFunction(
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
    const shown = names.length > 0 ? names : flattened;
    return sourceOf(alias, shown.map((name) => ({ name, value: made })));
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
function lateralView(view: Node, place: Place, queries: QueryReader): Joined {
  const scope = queries.from.lateralScope(place);
  const made = raised(queries.expressions.valueOf(view.this, scope, place.uses));
  const names = namesOf(view.column_aliases);
  const columns: Column[] = names.length > 0
    ? names.map((name) => ({ name, value: made }))
    : [unknownColumns({ made })];
  return sourceOf(nameOfNode(view.table_alias), columns);
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
