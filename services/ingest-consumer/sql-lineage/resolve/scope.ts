import {
  type Columns,
  constant,
  isKnown,
  type KnownColumn,
  type Relation,
  union,
  type UnknownColumns,
  untraced,
  type Value,
} from "./columns.ts";
import { exact, isNoColumn, isPseudo, lateralAliases, type Name, structPaths } from "./names.ts";
import type { Tables } from "./tables.ts";

/** Common table expressions by name, in those around them. */
export class Ctes {
  readonly #relations = new Map<string, () => Relation>();
  /** Expressions that have a name, as ClickHouse writes them. */
  readonly expressions: { name: Name; expression: unknown }[] = [];

  constructor(readonly outer: Ctes | null) {}

  find(name: string): Relation | undefined {
    return this.#relations.get(name)?.() ?? this.outer?.find(name);
  }

  /** What it stands for is read when it is first asked for. */
  define(name: string, read: () => Relation): void {
    let known: Relation | undefined;
    this.#relations.set(name, () => known ??= read());
  }
}

/** A table or query that a SELECT reads, under its name. */
export interface Source {
  /** It is a query with two columns of one name, so that its star means nothing. */
  hasTwins?: boolean;
  alias: Name | null;
  /** The parts of its own name, where it is a table. */
  parts: Name[];
  columns: Columns;
}

/** What the names in a SELECT mean. */
export interface Scope {
  sources: Source[];
  /** What a star stands for, in order. */
  columns: Columns;
  /** The query around it. */
  parent: Scope | null;
  /** Common table expressions that are seen here. */
  ctes: Ctes | null;
  /** Aliases of the SELECT that are defined so far. */
  aliases: Map<string, Value>;
  /** Names that the SELECT takes from its sources, so that an alias of that name is not meant. */
  ofSources: Set<string>;
  /** Definitions of named windows. */
  windows: Map<string, unknown>;
}

export function openScope(
  parent: Scope | null,
  ctes: Ctes | null,
  sources: Source[],
  columns: Columns,
): Scope {
  return {
    sources,
    columns,
    parent,
    ctes,
    aliases: new Map(),
    ofSources: new Set(),
    windows: new Map(),
  };
}

/** Finds what names mean, from the innermost query outwards. */
export class Names {
  constructor(private readonly dialect: string, private readonly tables: Tables) {}

  /** The value of a name such as `a`, `t.a` or `s.t.a.field`. */
  resolve(parts: Name[], scope: Scope, at: number | undefined): Value {
    if (parts.length === 0 || isNoColumn(parts.at(-1)!)) return constant;
    const qualified = this.#qualified(parts, scope, at);
    if (qualified) return qualified;
    const single = this.#byName(parts[0]!, parts.length > 1, scope, at);
    if (single) return single;
    return this.#row(parts, scope) ?? this.#hiddenByAlias(parts, scope, at) ??
      this.#unresolved(parts, scope, at);
  }

  /** The source that a qualifier names, nearest first. */
  source(parts: Name[], scope: Scope | null): Source | undefined {
    for (let one = scope; one; one = one.parent) {
      const found = this.#sourceIn(parts, one);
      if (found) return found;
    }
    return undefined;
  }

  /** The value of a column of given columns; undefined when they have none of that name. */
  columnOf(columns: Columns, name: Name, at: number | undefined): Value | undefined {
    const known = this.#known(columns, name, at);
    if (known) return known;
    const unknown = columns.unknown.filter(({ without }) => !without.has(name.lower));
    if (unknown.length === 0) return undefined;
    // A column without a name may have this one.
    if (unknown.length > 1 || columns.hasUnnamed) return untraced("ambiguous", at);
    return this.#ofUnknown(unknown[0]!, name, at);
  }

  #known(columns: Columns, name: Name, at: number | undefined): Value | undefined {
    const place = /^\$(\d+)$/.exec(name.text);
    if (place) return this.#byPlace(columns, Number(place[1]), at);
    const found = exact(columns.named(name), name, this.dialect, nameIn);
    if (found.length === 0) return undefined;
    return found.length === 1 ? found[0]!.value : untraced("ambiguous", at);
  }

  /** Snowflake's `$1`. */
  #byPlace(columns: Columns, place: number, at: number | undefined): Value {
    const before = columns.list.slice(0, place);
    const column = before[place - 1];
    if (!column || !before.every(isKnown)) return untraced("star", at);
    return (column as KnownColumn).value;
  }

  #ofUnknown({ dataset, made, gap }: UnknownColumns, name: Name, at: number | undefined): Value {
    if (isPseudo(name, this.dialect)) return constant;
    if (!dataset) return gap ? { ...made, gap: { ...gap, at: at ?? gap.at } } : made;
    const value = this.tables.columnOf(dataset, name.text);
    return gap ? { ...value, gap } : value;
  }

  #sourceIn(parts: Name[], { sources }: Scope): Source | undefined {
    const last = parts.at(-1)!;
    const found = sources.filter((source) =>
      parts.length === 1
        ? (source.alias ?? source.parts.at(-1))?.lower === last.lower
        : !source.alias && endsAlike(source.parts, parts)
    );
    const named = exact(found, last, this.dialect, (one) => (one.alias ?? one.parts.at(-1))!);
    return named[0];
  }

  /** The longest qualifier that names a source counts. */
  #qualified(parts: Name[], scope: Scope, at: number | undefined): Value | undefined {
    for (let length = parts.length - 1; length > 0; length--) {
      const source = this.source(parts.slice(0, length), scope);
      if (!source) continue;
      return this.columnOf(source.columns, parts[length]!, at) ?? untraced("column", at);
    }
    return undefined;
  }

  #byName(name: Name, isPath: boolean, scope: Scope, at: number | undefined): Value | undefined {
    for (let one: Scope | null = scope; one; one = one.parent) {
      const known = this.#known(one.columns, name, at);
      if (known) return known;
      const alias = one.aliases.get(name.lower);
      const unknown = one.columns.unknown.filter(({ without }) => !without.has(name.lower));
      if (alias && this.#meansAlias(name, one, unknown.length > 0)) return alias;
      if (unknown.length === 0) continue;
      if (isPath && !structPaths.has(this.dialect)) continue;
      if (this.tables.isVariable(name.lower)) return constant;
      // A query around it is known to have such a column, this one may have it.
      if (this.#isKnownOutside(name, one.parent)) return untraced("ambiguous", at);
      return unknown.length > 1 || one.columns.hasUnnamed
        ? untraced("ambiguous", at)
        : this.#ofUnknown(unknown[0]!, name, at);
    }
    return undefined;
  }

  #meansAlias(name: Name, scope: Scope, mayBeColumn: boolean): boolean {
    if (!mayBeColumn && (this.dialect === "generic" || !this.#isKnownOutside(name, scope.parent))) {
      return true;
    }
    return lateralAliases.has(this.dialect) && !scope.ofSources.has(name.lower);
  }

  #isKnownOutside(name: Name, scope: Scope | null): boolean {
    for (let one = scope; one; one = one.parent) {
      if (one.columns.named(name).length > 0) return true;
    }
    return false;
  }

  /** A source as a value: its whole row. */
  #row(parts: Name[], scope: Scope): Value | undefined {
    const source = this.source(parts, scope);
    if (!source) return undefined;
    return union(
      source.columns.list.map((column) =>
        isKnown(column) ? column.value : { ...column.made, gap: { reason: "star", at: undefined } }
      ),
      1,
    );
  }

  /** Some systems take a table's own name although it has an alias. */
  #hiddenByAlias(parts: Name[], scope: Scope, at: number | undefined): Value | undefined {
    if (parts.length < 2) return undefined;
    const qualifier = parts.slice(0, -1);
    for (let one: Scope | null = scope; one; one = one.parent) {
      const found = one.sources.filter(({ parts: own }) => endsAlike(own, qualifier));
      if (found.length === 1) return this.columnOf(found[0]!.columns, parts.at(-1)!, at);
    }
    return undefined;
  }

  #unresolved(parts: Name[], scope: Scope, at: number | undefined): Value {
    const isNothing = !scope.parent && scope.sources.length === 0 && parts.length === 1;
    return isNothing || this.tables.isVariable(parts[0]!.lower) ? constant : untraced("column", at);
  }
}

const nameIn = (column: KnownColumn) => column.name!;

function endsAlike(own: Name[], wanted: Name[]): boolean {
  const shorter = Math.min(own.length, wanted.length);
  return shorter > 0 &&
    own.slice(-shorter).every(({ lower }, at) => lower === wanted.slice(-shorter)[at]!.lower);
}
