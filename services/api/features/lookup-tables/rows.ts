import { maxDetails } from "#contract/bounded.ts";
import { pageWindow } from "#contract/http.ts";
import {
  badRequest,
  conflict,
  type ErrorDetail,
  invalidFields,
  notFound,
  requireFound,
} from "#kit/errors.ts";
import { retry } from "#kit/retry.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import { classify, type Queryable, sqlState } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { LookupStore, Physical } from "#platform/lookup-store.ts";
import { maxRowBytes } from "./limits.ts";
import { type Cells, columnOfIndex, rowCount } from "./physical/definition.queries.ts";
import {
  deleteRow,
  insertRows,
  pageOfRows,
  repeatedValues,
  type TextRow,
  updateRow,
} from "./physical/rows.queries.ts";
import type { LookupTableRowForm } from "./schemas.ts";
import { type Column, structure, type Table } from "./structure.queries.ts";
import { readCell } from "./types.ts";

type Deps = Pick<Context, "db" | "config"> & { store: LookupStore };

/** LookupTableRowList of one page as JSON text. Throws 404. */
export function readRows(
  db: Queryable,
  store: LookupStore,
  id: number,
  query: { page: number; size: number },
): Promise<string> {
  return withTable(db, id, async (table) => {
    const page = await store.alone((on) => pageOfRows(on, table, pageWindow(query)));
    return rowsJson(table, page, query);
  });
}

/** Adds rows; returns the first page as JSON text. Throws 400 that names values, columns and rows, and 404. */
export function addRows(
  { db, config, store }: Deps,
  id: number,
  forms: LookupTableRowForm[],
): Promise<string> {
  return withTable(db, id, async (table) => {
    const columns = columnsToWrite(table);
    const cells = cellsOf(table, columns, forms, "default");
    return await store.alone(async (on) => {
      const place = (row: number, column: Column) => placeOf(forms, row, column);
      await withoutRepeats(on, table, {
        write: () => insertRows(on, table, columns, cells),
        repeats: () => repeatsOf(on, table, columns, cells, place, null),
      });
      await countWritten(on, table, forms.length, config.metadata.lookup["max-rows"]);
      return await firstPageJson(on, table);
    });
  });
}

/**
 * Replaces the cells of a row; returns it and the first page of the others as JSON text. Throws as `addRows`, and 404 for
 * an unknown row.
 */
export function replaceRow(
  { db, store }: Omit<Deps, "config">,
  id: number,
  row: number,
  form: LookupTableRowForm,
): Promise<string> {
  return withTable(db, id, async (table) => {
    const columns = columnsToWrite(table);
    const cells = cellsOf(table, columns, [form], "nothing");
    return await store.alone(async (on) => {
      const place = (_: number, column: Column) => placeOf([form], 0, column, "");
      const found = await withoutRepeats(on, table, {
        write: () => updateRow(on, table, columns, row, cells.map(([cell]) => cell!)),
        repeats: () => repeatsOf(on, table, columns, cells, place, row),
      });
      if (!found) throw notFound("Row", row);
      return await firstPageJson(on, table, row);
    });
  });
}

/** Removes a row. Throws 404 for an unknown table or row. */
export async function removeRow(
  { db, store }: Pick<Deps, "db" | "store">,
  id: number,
  row: number,
): Promise<void> {
  const table = await requireTable(db, id);
  const found = await store.alone((on) => deleteRow(on, table, row));
  if (!found) throw notFound("Row", row);
}

const firstPage = { page: 1, size: 50 };

/** The page that answers a change; `first`: a row that comes before the newest. */
async function firstPageJson(on: Physical, table: Table, first?: number): Promise<string> {
  const page = await pageOfRows(on, table, { limit: firstPage.size, offset: 0, first });
  return rowsJson(table, page, firstPage);
}

/** LookupTableRowList of one page as JSON text, the newest rows first. */
function rowsJson(
  table: Table,
  { total, rows }: { total: number; rows: TextRow[] },
  { page, size }: { page: number; size: number },
): string {
  const starts = table.columns.map(({ id }) => `{"field_id":${id},"value":`);
  const items = rows.map(({ id, cells }) => {
    const shown = cells.map((cell, i) => `${starts[i]!}${JSON.stringify(cell ?? "")}}`);
    return `{"row_id":${id},"items":[${shown.join(",")}]}`;
  });
  const info = `{"total":${total},"hasNext":${page * size < total}}`;
  return `{"items":[${items.join(",")}],"page_info":${info}}`;
}

/** The table; throws 404 for an unknown and for a deleted one. */
export async function requireTable(db: Queryable, id: number): Promise<Table> {
  return requireFound(await db.query(structure, [id]), "Lookup table", id);
}

/**
 * Runs `work` with the table as it stands; again when its columns were changed meanwhile by somebody else, and
 * when it lost against another transaction. `work` must have no effect outside of its transaction.
 */
export function withTable<T>(
  db: Queryable,
  id: number,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  return retry(async () => await work(await requireTable(db, id)), {
    attempts: 4,
    initial: 10,
    max: 200,
    // Undefined column, or undefined table.
    retryable: (error) =>
      ["42703", "42P01"].includes(sqlState(error) ?? "") || classify(error) === "retry",
  });
}

/** The columns that are written: all but the key. */
export const writtenColumns = (table: Table) => table.columns.filter(({ key }) => !key);

/**
 * How many rows there are when `more` were written, those of others who write at the same time included; throws 400
 * for more than `max`. It comes after the writing, which may wait for others who repeat the same values.
 */
export async function countWritten(
  on: Physical,
  table: Table,
  more: number,
  max: number,
): Promise<number> {
  await countAlone(on.tx, `rows of ${on.schema}.${table.physical}`);
  const count = await rowCount(on, table);
  if (count <= max) return count;
  throw badRequest(
    `The table has ${
      count - more
    } rows; ${more} more would be more than ${max} (metadata.lookup.max-rows)`,
  );
}

/** All columns but the key; throws 400 when there is none. */
export function columnsToWrite(table: Table): Column[] {
  const columns = writtenColumns(table);
  if (columns.length > 0) return columns;
  throw badRequest(`Lookup table ${table.id} has no columns yet: add columns first`);
}

/** Where a form holds the column: `[2].items[0].value`. */
function placeOf(forms: LookupTableRowForm[], row: number, column: Column, at = `[${row}].`) {
  const item = forms[row]!.items.findIndex(({ field_id }) => field_id === column.id);
  return item < 0 ? `${at}items` : `${at}items[${item}].value`;
}

/** The cells of forms, by column; `omitted`: what a column gets that a form leaves out. */
function cellsOf(
  table: Table,
  columns: Column[],
  forms: LookupTableRowForm[],
  omitted: "default" | "nothing",
): Cells {
  const cells: Cells = columns.map(() => []);
  const faults: ErrorDetail[] = [];
  for (const [row, form] of forms.entries()) {
    if (faults.length >= maxDetails) break;
    const at = omitted === "nothing" ? "" : `[${row}].`;
    const given = givenCells(table, form, at, faults);
    let bytes = 0;
    columns.forEach((column, i) => {
      const standard = omitted === "default" ? column.default : null;
      const text = given.has(column.id) ? given.get(column.id)! : standard;
      const cell = readCell(column, text);
      if ("fault" in cell) {
        const field = placeOf(forms, row, column, at);
        return faults.push({ field, message: `row ${row + 1}: ${cell.fault}` });
      }
      bytes += cell.bytes;
      cells[i]!.push(cell.value);
    });
    if (bytes > maxRowBytes) {
      const message = `row ${row + 1}: must hold at most ${maxRowBytes} bytes in all`;
      faults.push({ field: `${at}items`, message });
    }
  }
  if (faults.length > 0) throw invalidRows(faults);
  return cells;
}

/** What a form gives, by column; unknown columns and those that are given twice become faults. */
function givenCells(
  table: Table,
  form: LookupTableRowForm,
  at: string,
  faults: ErrorDetail[],
): Map<number, string | null> {
  const known = new Set(table.columns.map(({ id }) => id));
  const given = new Map<number, string | null>();
  for (const [item, { field_id, value }] of form.items.entries()) {
    const field = `${at}items[${item}].field_id`;
    if (!known.has(field_id)) {
      faults.push({ field, message: `${field_id} is no column of lookup table ${table.id}` });
    } else if (given.has(field_id)) {
      faults.push({ field, message: `${field_id} is given twice` });
    }
    given.set(field_id, value ?? null);
  }
  return given;
}

/** 400 for rows that cannot be stored. */
function invalidRows(faults: ErrorDetail[]) {
  return invalidFields("rows", faults, maxDetails);
}

interface UniqueWrite<T> {
  write: () => Promise<T>;
  /** What repeats another value, looked for when the database refused it. */
  repeats: () => Promise<ErrorDetail[]>;
}

/**
 * Writes rows; what a unique column or the database refuses becomes a 400 that names columns and rows. The
 * transaction goes on to be usable for the questions, and must not be committed after the error.
 */
export async function withoutRepeats<T>(
  { tx }: Physical,
  table: Table,
  { write, repeats }: UniqueWrite<T>,
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
    const refused = describeRepeat(table, (error as { constraint?: string }).constraint ?? "");
    const first = details[0];
    const message = first ? `${first.field}: ${first.message}` : refused;
    throw conflict(`Invalid rows: ${message}`, details);
  }
}

/** What an index refuses, when nothing can be found any more that it would refuse. */
function describeRepeat(table: Table, index: string): string {
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
  place: (row: number, column: Column) => string,
  except: number | null,
): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const [i, column] of columns.entries()) {
    const max = maxDetails - details.length;
    if (!column.unique || max <= 0) continue;
    const found = await repeatedValues(on, table, column, cells[i]!, { except, max });
    details.push(...found.map((n): ErrorDetail => ({
      field: place(n - 1, column),
      message: `row ${n}: ${
        JSON.stringify(cells[i]![n - 1])
      } is already in the unique column "${column.name}"`,
    })));
  }
  return details;
}
