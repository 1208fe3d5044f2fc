import type { SqlDataset } from "../model.ts";
import type { Name } from "./names.ts";
import { constant, type Gap, type Uses, type Value } from "./value.ts";

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
