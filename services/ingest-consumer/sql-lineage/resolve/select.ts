import { own } from "#kit/own.ts";
import { isNode, isQuery, kindOf, listOf, type Node, ofKind, textOf } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  type Gap,
  isKnown,
  isUnknown,
  type KnownColumn,
  type Relation,
  unknownColumns,
  untraced,
  type UseKind,
  Uses,
  type Value,
} from "./columns.ts";
import { openCtes } from "./ctes.ts";
import { namePartsOf } from "./expression.ts";
import type { QueryReader } from "./joins.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import { type Ctes, openScope, type Scope } from "./scope.ts";

/** The columns of a SELECT. */
export function readSelect(
  select: Node,
  outerCtes: Ctes | null,
  outer: Scope | null,
  queries: QueryReader,
): Relation {
  const ctes = openCtes(select.with, outerCtes, outer, queries);
  const uses = new Uses();
  const joined = queries.from.read(select, ctes, outer, uses);
  const scope = openScope(outer, ctes, joined.sources, new Columns(joined.columns));
  for (const window of listOf(select, "windows")) {
    const name = isNode(window) ? nameOfNode(window.name) : null;
    if (name) scope.windows.set(name.lower, (window as Node).spec);
  }
  for (let one = ctes; one && one !== outerCtes; one = one.outer) {
    for (const { name, expression } of one.expressions) {
      scope.aliases.set(name.lower, queries.expressions.valueOf(expression, scope, uses));
    }
  }
  const columns = new Columns(
    listOf(select, "expressions").flatMap((one) => projected(one, scope, uses, queries)),
  );
  addUses(select, columns, scope, uses, queries);
  return { columns, uses };
}

/** The columns that one expression of a SELECT makes. */
function projected(expression: unknown, scope: Scope, uses: Uses, queries: QueryReader): Column[] {
  const star = starOf(expression);
  if (star) return expandStar(star, scope, uses, queries);
  const { name, value: of } = namedExpression(expression, queries.dialect);
  for (const used of unqualifiedNames(of)) {
    if (!scope.aliases.has(used)) scope.ofSources.add(used);
  }
  const value = queries.expressions.valueOf(of, scope, uses);
  const isAlias = name !== null && namePartsOf(expression) === undefined;
  if (isAlias && !scope.aliases.has(name.lower)) scope.aliases.set(name.lower, value);
  return [{ name, value }];
}

/** An expression and its name: an alias, or that of a column. */
function namedExpression(
  expression: unknown,
  dialect: string,
): { name: Name | null; value: unknown } {
  const alias = ofKind(expression, "alias");
  if (alias) return { name: nameOfNode(alias.alias), value: alias.this };
  const equals = dialect === "tsql" ? ofKind(expression, "eq") : undefined;
  const left = equals && namePartsOf(equals.left)?.parts;
  if (equals && left?.length === 1) {
    // What a variable gets is no column.
    return { name: left[0]!.text.startsWith("@") ? null : left[0]!, value: equals.right };
  }
  const name = namePartsOf(expression)?.parts.at(-1) ?? null;
  // A place, such as `$1`, is no name.
  return { name: name && /^\$\d+$/.test(name.text) ? null : name, value: expression };
}

/** Names without a qualifier in an expression, lower-case; not those of its subqueries. */
function unqualifiedNames(expression: unknown): string[] {
  const names: string[] = [];
  const open: unknown[] = [expression];
  for (let at = 0; at < open.length; at++) {
    const node = open[at];
    if (Array.isArray(node)) { for (const one of node) open.push(one); }
    if (!isNode(node) || isQuery(node)) continue;
    const parts = namePartsOf(node)?.parts;
    if (parts) {
      if (parts.length === 1) names.push(parts[0]!.lower);
    } else for (const one of Object.values(node)) open.push(one);
  }
  return names;
}

/** Clauses whose columns have a say in the rows, by the members of a SELECT. */
const clauses: [member: string, kind: UseKind][] = [
  ["where_clause", "FILTER"],
  ["prewhere", "FILTER"],
  ["connect", "FILTER"],
  ["having", "FILTER"],
  ["qualify", "FILTER"],
  ["distinct_on", "GROUP_BY"],
  ["group_by", "GROUP_BY"],
  ["cluster_by", "SORT"],
  ["distribute_by", "SORT"],
  ["sort_by", "SORT"],
  ["order_by", "SORT"],
];

function addUses(
  select: Node,
  columns: Columns,
  scope: Scope,
  uses: Uses,
  queries: QueryReader,
): void {
  for (const [member, kind] of clauses) {
    const clause = own(select, member);
    if (clause === null || clause === undefined) continue;
    const isList = kind === "GROUP_BY" || kind === "SORT";
    const parts = isList && isNode(clause) ? listOf(clause, "expressions") : [clause];
    for (const part of parts) {
      const selected = isList ? selectedBy(part, columns, scope, kind) : undefined;
      if (selected) uses.add(selected.value, kind);
      else uses.add(queries.expressions.valueOf(part, scope, uses), kind);
    }
  }
}

/** The selected column that a place, or a name in ORDER BY, means. */
function selectedBy(
  part: unknown,
  columns: Columns,
  scope: Scope,
  kind: UseKind,
): KnownColumn | undefined {
  const expression = kindOf(part)?.kind === "ordered"
    ? kindOf(part)!.body.this
    : isNode(part) && "this" in part
    ? part.this
    : part;
  const literal = ofKind(expression, "literal");
  if (literal?.literal_type === "number") {
    const column = columns.list[Number(literal.value) - 1];
    return column && isKnown(column) ? column : undefined;
  }
  const parts = namePartsOf(expression)?.parts;
  if (parts?.length !== 1) return undefined;
  if (kind === "GROUP_BY" && scope.columns.named(parts[0]!).length > 0) return undefined;
  return columns.named(parts[0]!)[0];
}

interface Star {
  /** What stands before it; an expression for `(a).*`. */
  qualifier: Name[] | null;
  of: unknown;
  body: Node;
  /** It is followed by a pattern that chooses among its columns. */
  isChosen: boolean;
  at: number | undefined;
}

/** A star in the list of a SELECT; undefined for another expression. */
function starOf(expression: unknown): Star | undefined {
  const chosen = ofKind(expression, "i_like") ?? ofKind(expression, "like");
  const star = ofKind(chosen ? chosen.left : expression, "star");
  if (star) {
    const qualifier = nameOfNode(star.table);
    const parts = qualifier?.quoted
      ? [qualifier]
      : qualifier?.text.split(".").map((one) => nameOf(one));
    const place = { of: null, body: star, isChosen: !!chosen, at: placeOf(star) };
    return { qualifier: parts ?? null, ...place };
  }
  const dot = ofKind(expression, "dot");
  if (!dot || textOf(dot.field) !== "*") return undefined;
  const inner = ofKind(dot.this, "paren")?.this ?? dot.this;
  const parts = namePartsOf(inner)?.parts ?? null;
  return { qualifier: parts, of: dot.this, body: {}, isChosen: false, at: placeOf(dot) };
}

const placeOf = ({ span }: Node) =>
  isNode(span) && typeof span.start === "number" ? span.start : undefined;

/** Maximum number of columns that a star stands for. */
const maxStarColumns = 100_000;

/** The columns that a star stands for, with what it leaves out, replaces and renames. */
function expandStar(star: Star, scope: Scope, uses: Uses, queries: QueryReader): Column[] {
  const gap: Gap = { reason: "star", at: star.at };
  const columns = starColumns(star, scope, uses, queries)
    .filter((one) => isKnown(one) || !one.hidden)
    .map((one) =>
      isKnown(one) || one.gap?.at !== undefined ? one : { ...one, gap: one.gap ?? null }
    );
  if (star.isChosen) return [unknownColumns({ gap })];
  const changes = starChanges(star.body, scope, uses, queries);
  const isComplete = columns.every(isKnown);
  const names = new Set(columns.flatMap((one) => isKnown(one) && one.name ? one.name.lower : []));
  // One that no column is called like may be a pattern, or tell that the structure is old.
  const isMissing = isComplete && changes.names.some((name) => !names.has(name));
  if (changes.isPattern || isMissing) return [unknownColumns({ gap })];
  if (columns.length > maxStarColumns) throw new RangeError("too many columns");
  return withChanges(columns, changes, queries);
}

function starColumns(
  star: Star,
  scope: Scope,
  uses: Uses,
  queries: QueryReader,
): readonly Column[] {
  const gap: Gap = { reason: "star", at: star.at };
  if (!star.qualifier && !star.of) {
    return scope.sources.some(({ hasTwins }) => hasTwins)
      ? [unknownColumns({ gap })]
      : scope.columns.list;
  }
  const source = star.qualifier && queries.names.source(star.qualifier, scope);
  if (source) return source.hasTwins ? [unknownColumns({ gap })] : source.columns.list;
  if (star.qualifier) {
    const aliased = scope.sources.filter(({ alias, parts }) =>
      alias !== null && parts.at(-1)?.lower === star.qualifier!.at(-1)!.lower
    );
    if (aliased.length === 1) return aliased[0]!.columns.list;
  }
  // The fields of a value, whose names nothing tells.
  const made: Value = star.qualifier
    ? queries.names.resolve(star.qualifier, scope, star.at)
    : queries.expressions.valueOf(star.of, scope, uses);
  return [unknownColumns({ made, gap })];
}

/** What a star leaves out, replaces and renames. */
interface StarChanges {
  except: Set<string>;
  replace: Map<string, KnownColumn>;
  rename: Map<string, Name>;
  /** All names that it tells, lower-case. */
  names: string[];
  isPattern: boolean;
}

function starChanges(body: Node, scope: Scope, uses: Uses, queries: QueryReader): StarChanges {
  const replace = new Map<string, KnownColumn>();
  const rename = new Map<string, Name>();
  const excepted = listOf(body, "except").map(lastName);
  for (const one of listOf(body, "replace")) {
    const name = isNode(one) ? nameOfNode(one.alias ?? ofKind(one, "alias")?.alias) : null;
    const of = isNode(one) ? ofKind(one, "alias")?.this ?? one.this : undefined;
    const value = queries.expressions.valueOf(of, scope, uses);
    if (name) replace.set(name.lower, { name, value });
  }
  for (const pair of listOf(body, "rename")) {
    const [from, to] = Array.isArray(pair) ? pair.map(nameOfNode) : [];
    if (from && to) rename.set(from.lower, to);
  }
  const except = new Set(excepted.flatMap((name) => name ?? []));
  return {
    except,
    replace,
    rename,
    names: [...except, ...replace.keys(), ...rename.keys()],
    isPattern: excepted.includes(undefined),
  };
}

function lastName(node: unknown): string | undefined {
  const name = namePartsOf(node)?.parts.at(-1) ?? nameOfNode(node);
  return name?.text.split(".").at(-1)?.toLowerCase();
}

function withChanges(
  columns: readonly Column[],
  { except, replace, rename, names }: StarChanges,
  { tables }: QueryReader,
): Column[] {
  const found = new Set<string>();
  const list = columns.flatMap((column): Column[] => {
    if (!isKnown(column)) return [{ ...column, without: new Set([...column.without, ...names]) }];
    const key = column.name?.lower ?? "";
    found.add(key);
    if (except.has(key)) return [];
    const value = replace.get(key)?.value ?? column.value;
    return [{ name: rename.get(key) ?? column.name, value }];
  });
  // Those that stand somewhere among unknown columns.
  const unknown = columns.filter(isUnknown);
  const dataset = unknown.length === 1 ? unknown[0]!.dataset : null;
  for (const [key, column] of replace) if (!found.has(key) && !except.has(key)) list.push(column);
  for (const [key, name] of rename) {
    if (found.has(key) || except.has(key)) continue;
    list.push({ name, value: dataset ? tables.columnOf(dataset, key) : untraced("star") });
  }
  return list;
}
