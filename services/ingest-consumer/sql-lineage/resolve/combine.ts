import { type Column, Columns, isKnown, type KnownColumn } from "./columns.ts";
import { union, untraced, type Value } from "./value.ts";

/** The columns of queries that are set together: their names are those of the first. */
export function combined(parts: Columns[], byName: boolean): Columns {
  if (parts.length < 2) return parts[0]!;
  return byName ? combinedByName(parts) : combinedByPlace(parts);
}

function combinedByPlace(parts: Columns[]): Columns {
  const [first] = parts as [Columns];
  const unknownAt = (columns: Columns) => columns.list.findIndex((one) => !isKnown(one));
  const ends = parts.map(unknownAt).filter((at) => at >= 0);
  const known = ends.length > 0 ? Math.min(...ends) : first.list.length;
  const isEven = ends.length > 0 || parts.every(({ list }) => list.length === first.list.length);
  return new Columns(first.list.map((column, at): Column => {
    if (!isEven) return isKnown(column) ? { ...column, value: untraced("position") } : column;
    if (!isKnown(column)) return { ...column, gap: { reason: "star", at: column.gap?.at } };
    if (at >= known) {
      const { origins } = column.value;
      return { ...column, value: { origins, gap: { reason: "star", at: undefined } } };
    }
    const values = parts.map(({ list }) => (list[at] as KnownColumn).value);
    return { ...column, value: union(values) };
  }));
}

function combinedByName(parts: Columns[]): Columns {
  const names = new Map<string, { column: KnownColumn; values: Value[] }>();
  const list: Column[] = [];
  for (const column of parts.flatMap((one) => one.list)) {
    const key = isKnown(column) ? column.name?.lower : undefined;
    if (!isKnown(column) || key === undefined) list.push(column);
    else if (names.has(key)) names.get(key)!.values.push(column.value);
    else names.set(key, { column, values: [column.value] });
  }
  const known = [...names.values()].map(({ column, values }) => ({
    ...column,
    value: union(values),
  }));
  return new Columns([...known, ...list]);
}
