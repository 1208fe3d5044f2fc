import { type Column, Columns, isKnown, type KnownColumn } from "../resolve/columns.ts";
import { type GapReason, untraced, type Value } from "../resolve/value.ts";
import type { Target } from "./statement.ts";

/** A column of a target, and what fills it. */
export interface Filled {
  /** Null where nothing tells the column. */
  name: string | null;
  value: Value;
}

/** A target as far as it is known: its columns in order, none where its structure is unknown. */
interface KnownTarget {
  fields: readonly string[];
}

/** Which columns of its target a query fills with what. */
export function filledBy(
  into: Target,
  columns: Columns,
  { fields }: KnownTarget,
  dialect: string,
): Filled[] {
  if (into.columns) return byPlace(columns, into.columns, true);
  if (into.without.length > 0) {
    const without = new Set(into.without.map((name) => name.toLowerCase()));
    const rest = fields.filter((field) => !without.has(field.toLowerCase()));
    return rest.length > 0 ? byPlace(columns, rest, true) : nowhere(columns, "structure");
  }
  if (into.by === "position" && fields.length > 0) {
    // SQL Server leaves out columns that number themselves, which a structure does not tell.
    return byPlace(columns, withPartition(fields, into.partition), dialect === "tsql");
  }
  if (into.by === "position" && into.partition.length > 0) return nowhere(columns, "structure");
  return byName(columns, fields, into.by === "name" ? dialect : "");
}

/** The columns that a query fills in their order: those of a partition come last. */
function withPartition(fields: readonly string[], partition: Target["partition"]): string[] {
  const names = new Set(partition.map(({ name }) => name.toLowerCase()));
  const own = fields.filter((field) => !names.has(field.toLowerCase()));
  return [...own, ...partition.filter(({ fixed }) => !fixed).map(({ name }) => name)];
}

/** By place, as far as no columns before are unknown. */
function byPlace(columns: Columns, names: readonly string[], isExact: boolean): Filled[] {
  const { list } = columns;
  const end = list.findIndex((one) => !isKnown(one));
  const count = end < 0 ? list.length : end;
  const fits = end >= 0
    ? count <= names.length
    : isExact
    ? count === names.length
    : count <= names.length;
  if (!fits) return nowhere(columns, "position");
  const placed = list.slice(0, count).map((one, at) => ({
    name: names[at]!,
    value: (one as KnownColumn).value,
  }));
  const behind = end < 0 ? [] : names.slice(count).map((name) => ({
    name,
    value: starValue(list[end]!),
  }));
  return [...placed, ...behind];
}

function byName(columns: Columns, fields: readonly string[], dialect: string): Filled[] {
  const { list } = columns;
  const isSameCount = fields.length === list.length && list.every(isKnown);
  return list.flatMap((one, at): Filled[] => {
    if (!isKnown(one)) return [{ name: null, value: starValue(one) }];
    const name = one.name?.text ?? (isSameCount ? fields[at]! : placeName(at, fields, dialect));
    if (name !== null) return [{ name, value: one.value }];
    return one.value.origins.size > 0 ? [{ name: null, value: untraced("unnamed") }] : [];
  });
}

/** How systems call a column that has no name; where that is not known, nobody does. */
function placeName(at: number, fields: readonly string[], dialect: string): string | null {
  if (fields.length > 0) return null;
  if (dialect === "generic") return `_col_${at}`;
  return ["trino", "presto", "athena"].includes(dialect) ? `_col${at}` : null;
}

const nowhere = (columns: Columns, reason: GapReason): Filled[] =>
  columns.list.length > 0 ? [{ name: null, value: untraced(reason) }] : [];

const starValue = (column: Column): Value =>
  untraced("star", isKnown(column) ? undefined : column.gap?.at);
