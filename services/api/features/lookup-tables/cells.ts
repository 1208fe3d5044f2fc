import { Buffer } from "node:buffer";
import { unstorable } from "#contract/text.ts";
import { bounded } from "#kit/text.ts";
import { maxCellBytes, maxUniqueBytes } from "./limits.ts";
import type { Column } from "./structure.queries.ts";
import { types } from "./types.ts";

/** What a cell holds and most bytes in which it is shown, or what is wrong with what was given for it. */
export type Cell = { value: string | null; bytes: number } | { fault: string };

/** The column as far as it decides what a cell may hold. */
export type CellColumn = Pick<Column, "name" | "type" | "nullable" | "unique">;

/**
 * What is given for a cell. Blank is nothing; nothing is refused where the column must hold something, unless
 * the column numbers itself.
 */
export function readCell(column: CellColumn, given: string | null): Cell {
  if (given === null || given.trim() === "") {
    if (column.nullable || column.type === "SERIAL") return { value: null, bytes: 0 };
    return { fault: `column "${column.name}" must not be empty` };
  }
  return readValue(column, given);
}

/** A value that is not blank, as it is stored. */
function readValue({ name, type, unique }: CellColumn, given: string): Cell {
  const why = unstorable(given);
  if (why) return { fault: `column "${name}" ${why}` };
  const max = unique ? maxUniqueBytes : maxCellBytes;
  const at = unique ? " as long as it is unique" : "";
  const fault = `column "${name}" must hold at most ${max} bytes in a cell${at}`;
  if (Buffer.byteLength(given) > max) return { fault };
  const value = types[type].read(given);
  if (value === null) {
    const shown = JSON.stringify(bounded(given, 80));
    return { fault: `${shown} is no ${type} (column "${name}"): must be ${types[type].allowed}` };
  }
  const bytes = bytesOf(type, value);
  return bytes > max ? { fault } : { value, bytes };
}

/** Maximum number of bytes in which a cell is shown: a few of a number may become a thousand. */
export function bytesOf(type: CellColumn["type"], value: string | null): number {
  return value === null ? 0 : types[type].bytes?.(value) ?? Buffer.byteLength(value);
}
