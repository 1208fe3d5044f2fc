import { isNode, listOf, type Node, ofKind, textOf } from "../parse/ast.ts";
import { type Column, isKnown, isUnknown, type KnownColumn, unknownColumns } from "./columns.ts";
import { namePartsOf } from "./expression.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import type { QueryReader } from "./context.ts";
import type { Scope } from "./scope.ts";
import { type Gap, untraced, type Uses, type Value } from "./value.ts";

/** Maximum number of columns that a star stands for. */
const maxColumns = 100_000;

export interface Star {
  /** What stands before it; an expression for `(a).*`. */
  qualifier: Name[] | null;
  of: unknown;
  body: Node;
  /** It is followed by a pattern that chooses among its columns. */
  isChosen: boolean;
  at: number | undefined;
}

/** A star in the list of a SELECT; undefined for another expression. */
export function starOf(expression: unknown): Star | undefined {
  const chosen = ofKind(expression, "i_like") ?? ofKind(expression, "like");
  const star = ofKind(chosen ? chosen.left : expression, "star");
  if (star) {
    const qualifier = nameOfNode(star.table);
    const parts = qualifier?.quoted
      ? [qualifier]
      : qualifier?.text.split(".").map((one) => nameOf(one));
    return {
      qualifier: parts ?? null,
      of: null,
      body: star,
      isChosen: !!chosen,
      at: placeOf(star),
    };
  }
  const dot = ofKind(expression, "dot");
  if (!dot || textOf(dot.field) !== "*") return undefined;
  const inner = ofKind(dot.this, "paren")?.this ?? dot.this;
  const parts = namePartsOf(inner)?.parts ?? null;
  return { qualifier: parts, of: dot.this, body: {}, isChosen: false, at: placeOf(dot) };
}

const placeOf = ({ span }: Node) =>
  isNode(span) && typeof span.start === "number" ? span.start : undefined;

/** The columns that a star stands for, with what it leaves out, replaces and renames. */
export function expandStar(star: Star, scope: Scope, uses: Uses, queries: QueryReader): Column[] {
  const gap: Gap = { reason: "star", at: star.at };
  const columns = columnsOf(star, scope, uses, queries)
    .filter((one) => isKnown(one) || !one.hidden)
    .map((one) =>
      isKnown(one) || one.gap?.at !== undefined ? one : { ...one, gap: one.gap ?? null }
    );
  if (star.isChosen) return [unknownColumns({ gap })];
  const changes = changesOf(star.body, scope, uses, queries);
  const isComplete = columns.every(isKnown);
  const names = new Set(columns.flatMap((one) => isKnown(one) && one.name ? one.name.lower : []));
  // One that no column is called like may be a pattern, or tell that the structure is old.
  const isMissing = isComplete && changes.names.some((name) => !names.has(name));
  if (changes.isPattern || isMissing) return [unknownColumns({ gap })];
  if (columns.length > maxColumns) throw new RangeError("too many columns");
  return changed(columns, changes, queries);
}

function columnsOf(star: Star, scope: Scope, uses: Uses, queries: QueryReader): readonly Column[] {
  const gap: Gap = { reason: "star", at: star.at };
  if (!star.qualifier && !star.of) {
    return scope.sources.some(({ hasTwins }) => hasTwins)
      ? [unknownColumns({ gap })]
      : scope.columns.list;
  }
  const source = star.qualifier && queries.names.source(star.qualifier, scope);
  if (source) return source.hasTwins ? [unknownColumns({ gap })] : source.columns.list;
  if (star.qualifier) {
    const own = scope.sources.filter(({ alias, parts }) =>
      alias !== null && parts.at(-1)?.lower === star.qualifier!.at(-1)!.lower
    );
    if (own.length === 1) return own[0]!.columns.list;
  }
  // The fields of a value, whose names nothing tells.
  const made: Value = star.qualifier
    ? queries.names.resolve(star.qualifier, scope, star.at)
    : queries.expressions.valueOf(star.of, scope, uses);
  return [unknownColumns({ made, gap })];
}

interface Changes {
  except: Set<string>;
  replace: Map<string, KnownColumn>;
  rename: Map<string, Name>;
  /** All names that it tells, lower-case. */
  names: string[];
  isPattern: boolean;
}

function changesOf(body: Node, scope: Scope, uses: Uses, queries: QueryReader): Changes {
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

function changed(
  columns: readonly Column[],
  { except, replace, rename, names }: Changes,
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
