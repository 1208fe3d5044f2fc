import type { SqlGapReason } from "#contract/column-lineage.ts";
import type { SqlDataset } from "../model.ts";
import type { Name } from "./names.ts";

/** A column of an input. There is one object for each, so that they can be compared. */
export interface SourceColumn {
  dataset: SqlDataset;
  path: string;
}

/** What becomes of a column on its way; the larger one wins along a path. */
export const levels = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"] as const;
export type Level = 0 | 1 | 2;

/** Why something could not be traced. */
export type GapReason = SqlGapReason;

export interface Gap {
  reason: GapReason;
  /** Where in the text that was parsed; undefined where nothing tells. */
  at: number | undefined;
}

/** Where an expression comes from. */
export interface Value {
  origins: ReadonlyMap<SourceColumn, Level>;
  /** Some of it could not be traced. */
  gap: Gap | null;
}

export const constant: Value = { origins: new Map(), gap: null };

/** A value of which nothing is known. */
export const untraced = (reason: GapReason, at?: number): Value => ({
  origins: new Map(),
  gap: { reason, at },
});

/** What is made of several values. */
export function union(values: readonly Value[], level: Level = 0): Value {
  if (values.length === 0) return constant;
  if (values.length === 1 && level === 0) return values[0]!;
  const all = new ValueBuilder();
  for (const value of values) all.add(value, level);
  return all.value;
}

/** Collects values without making a new one of each step. */
export class ValueBuilder {
  readonly #origins = new Map<SourceColumn, Level>();
  #gap: Gap | null = null;

  add({ origins, gap }: Value, level: Level): void {
    for (const [source, own] of origins) {
      const known = this.#origins.get(source) ?? 0;
      this.#origins.set(source, Math.max(known, own, level) as Level);
    }
    this.#gap ??= gap;
  }

  get value(): Value {
    return { origins: this.#origins, gap: this.#gap };
  }
}

export type UseKind = "FILTER" | "JOIN" | "GROUP_BY" | "SORT" | "WINDOW";

/** Columns that have a say in which rows a query has, in their order or their number. */
export class Uses {
  readonly #own: { value: Value; kind: UseKind }[] = [];
  readonly #of = new Set<Uses>();

  add(value: Value, kind: UseKind): void {
    if (value.origins.size > 0) this.#own.push({ value, kind });
  }

  /** What has a say in something that this is made of. */
  include(other: Uses): void {
    if (other !== this) this.#of.add(other);
  }

  /** All of them, each once. */
  all(): { source: SourceColumn; kind: UseKind }[] {
    const found = new Map<SourceColumn, Set<UseKind>>();
    const seen = new Set<Uses>();
    const open: Uses[] = [this];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...next.#of);
      for (const { value, kind } of next.#own) {
        for (const source of value.origins.keys()) {
          found.set(source, (found.get(source) ?? new Set()).add(kind));
        }
      }
    }
    return [...found].flatMap(([source, kinds]) => [...kinds].map((kind) => ({ source, kind })));
  }
}

/** A column that has a name, or is known by its place only. */
export interface KnownColumn {
  name: Name | null;
  value: Value;
}

/** Columns of which neither names nor number are known. */
export interface UnknownColumns {
  /** They are those of this input. */
  dataset: SqlDataset | null;
  /** Each is made of this. */
  made: Value;
  /** Names, lower-case, that are not among them. */
  without: ReadonlySet<string>;
  gap: Gap | null;
  /** A star does not show them. */
  hidden: boolean;
}

export type Column = KnownColumn | UnknownColumns;

export const isKnown = (column: Column): column is KnownColumn => "value" in column;
export const isUnknown = (column: Column): column is UnknownColumns => !isKnown(column);

export const unknownColumns = (more: Partial<UnknownColumns>): UnknownColumns => ({
  dataset: null,
  made: constant,
  without: new Set(),
  gap: null,
  hidden: false,
  ...more,
});

/** Columns in order, found by name. */
export class Columns {
  #index: Map<string, KnownColumn[]> | undefined;

  constructor(readonly list: readonly Column[]) {}

  get unknown(): UnknownColumns[] {
    return this.list.filter(isUnknown);
  }

  /** Columns of this name, whatever the letter case. */
  named(name: Name): KnownColumn[] {
    this.#index ??= indexOf(this.list);
    return this.#index.get(name.lower) ?? [];
  }

  get hasUnnamed(): boolean {
    return this.list.some((one) => isKnown(one) && !one.name);
  }

  /** Whether two columns have one name. */
  get hasTwins(): boolean {
    this.#index ??= indexOf(this.list);
    return [...this.#index.values()].some((same) => same.length > 1);
  }
}

function indexOf(list: readonly Column[]): Map<string, KnownColumn[]> {
  const index = new Map<string, KnownColumn[]>();
  for (const column of list) {
    if (!isKnown(column) || !column.name) continue;
    const same = index.get(column.name.lower);
    if (same) same.push(column);
    else index.set(column.name.lower, [column]);
  }
  return index;
}

/** What a query or a table is: its columns, and what has a say in its rows. */
export interface Relation {
  columns: Columns;
  uses: Uses;
}

/** Columns under other names, by their place. */
export function renamed(columns: Columns, names: readonly Name[]): Columns {
  if (names.length === 0) return columns;
  const list: Column[] = [];
  let behind: UnknownColumns | undefined;
  columns.list.forEach((column, at) => {
    if (!isKnown(column)) behind ??= column;
    else if (!behind) list.push({ ...column, name: names[at] ?? column.name });
  });
  if (!behind) return new Columns(list);
  // Places behind unknown columns tell nothing.
  const gap: Gap = { reason: "star", at: behind.gap?.at };
  const value: Value = { origins: new Map(), gap };
  for (const name of names.slice(list.length)) list.push({ name, value });
  return new Columns(list);
}
