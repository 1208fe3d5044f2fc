import { maxDetails } from "#contract/bounded.ts";
import { badRequest, conflict, type ErrorDetail } from "#kit/errors.ts";
import { sqlState } from "#metadata/postgres/database.ts";
import { columnOfIndex } from "./physical/definition.queries.ts";
import { repeatedValues } from "./physical/rows.queries.ts";
import type { Cells, Physical } from "./physical/physical.ts";
import type { Column, Table } from "./structure.queries.ts";

interface UniqueWrite<T> {
  write: () => Promise<T>;
  /** What repeats another value, looked for when the database refused it. */
  repeats: () => Promise<ErrorDetail[]>;
  /** In words, what the index of that name refuses. */
  describe: (index: string) => string;
}

/**
 * Writes rows; what a unique column or the database refuses becomes a 400 that names columns and rows. The
 * transaction goes on to be usable for the questions, and must not be committed after the error.
 */
export async function withoutRepeats<T>(
  { tx }: Physical,
  { write, repeats, describe }: UniqueWrite<T>,
): Promise<T> {
  await tx.query("SAVEPOINT written");
  try {
    const result = await write();
    await tx.query("RELEASE SAVEPOINT written");
    return result;
  } catch (error) {
    const state = sqlState(error) ?? "";
    if (state.startsWith("22") || state.startsWith("54")) {
      throw badRequest("The database does not take a value of these rows");
    }
    if (!state.startsWith("23")) throw error;
    await tx.query("ROLLBACK TO SAVEPOINT written");
    const details = state === "23505" ? await repeats() : [];
    const refused = describe((error as { constraint?: string }).constraint ?? "");
    const first = details[0];
    const message = first ? `${first.field}: ${first.message}` : refused;
    throw conflict(`Invalid rows: ${message}`, details);
  }
}

/** What an index refuses, when nothing can be found any more that it would refuse. */
export function describeRepeat(table: Table, index: string): string {
  const column = table.columns.find(({ id }) => id === columnOfIndex(index));
  return column
    ? `a value of column "${column.name}" is already there`
    : "a rule of the table's columns is broken";
}

/**
 * Every value that repeats another one, of the rows themselves or of those that are there; `except`: the row
 * that is replaced.
 */
export async function repeatsOf(
  on: Physical,
  table: Table,
  columns: Column[],
  cells: Cells,
  placeOf: (row: number, column: Column) => string,
  except: number | null,
): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const [i, column] of columns.entries()) {
    const max = maxDetails - details.length;
    if (!column.unique || max <= 0) continue;
    const found = await repeatedValues(on, table, column, cells[i]!, { except, max });
    details.push(...found.map((n): ErrorDetail => ({
      field: placeOf(n - 1, column),
      message: `row ${n}: ${
        JSON.stringify(cells[i]![n - 1])
      } is already in the unique column "${column.name}"`,
    })));
  }
  return details;
}
