import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, invalidFields, requireFound, unavailable } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { refreshDocuments } from "#metadata/catalogue/search-documents.ts";
import { type Queryable, sqlState } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { bytesOf, readCell } from "./types.ts";
import { maxColumns, maxRowBytes } from "./limits.ts";
import * as physical from "./physical/definition.queries.ts";
import { lockStore, type LookupStore, type Physical } from "#platform/lookup-store.ts";
import { requireTable } from "./rows.ts";
import type { LookupTableFieldForm, LookupTableFieldUpdateForm } from "./schemas.ts";
import * as queries from "./structure.queries.ts";
import type { Column, Table } from "./structure.queries.ts";
import { touchTable, writeStructure } from "./tables.queries.ts";

export type Deps = Pick<Context, "db" | "clock" | "log"> & { store: LookupStore };

/** One column as JSON text. Throws 404 for an unknown table or column, 400 for a column of another table. */
export async function readColumn({ db }: Pick<Deps, "db">, id: number, column: number) {
  await requireColumn(await requireTable(db, id), column, { db });
  return (await db.query(queries.columnJson, [column]))[0]!.json;
}

/** Adds columns; returns the table as JSON text. Throws 404, and 400 that names the column. */
export function addColumns(
  deps: Deps,
  actor: Actor,
  id: number,
  forms: LookupTableFieldForm[],
): Promise<string> {
  return changingColumns(deps, actor, id, async (change, table) => {
    const { tx } = change;
    if (table.columns.length - 1 + forms.length > maxColumns) {
      throw badRequest(`A lookup table has at most ${maxColumns} columns`);
    }
    const ids = await queries.columnIds(tx, forms.length);
    const added = forms.map((form, i) => columnOf(form, ids[i]!, `[${i}]`));
    checkNames(table.columns, added, (i) => `[${i}].name`);
    await deps.store.within(tx, async (on) => {
      await physical.lockTable(on, table);
      await checkRows(on, table, added);
      await physical.makeRoom(on, table, added.length);
      for (const [i, column] of added.entries()) await addOne(on, table, column, `[${i}]`);
    });
    await queries.insertColumns(tx, id, added);
  });
}

/** Changes a column, but for what the form leaves out; returns the table as JSON text. Throws 404, and 400 that says how many rows do not fit. */
export function changeColumn(
  deps: Deps,
  actor: Actor,
  id: number,
  columnId: number,
  form: LookupTableFieldUpdateForm,
): Promise<string> {
  return changingColumns(deps, actor, id, async (change, table) => {
    const { tx } = change;
    const before = await requireColumn(table, columnId, { db: tx, written: true });
    const after: Column = {
      ...columnOf(wholeForm(form, before), columnId, ""),
      physical: before.physical,
    };
    const others = table.columns.filter((column) => column !== before);
    checkNames(others, [after], () => "name");
    await deps.store.within(tx, async (on) => {
      if (before.nullable === after.nullable && before.unique === after.unique) return;
      await physical.lockTable(on, table);
      if (before.nullable !== after.nullable) await changeNullable(on, table, after, "");
      if (before.unique !== after.unique) await changeUnique(on, table, after, "");
    });
    const { name, normalised, description, nullable, unique, default: standard } = after;
    const values = [name, normalised, description, nullable, unique, standard];
    await tx.query(queries.updateColumn, [columnId, ...values]);
  });
}

/** A form of what a column is to be: what the given one leaves out is as it is. */
function wholeForm(form: LookupTableFieldUpdateForm, before: Column): LookupTableFieldForm {
  const { description, nullable, unique, type } = before;
  return {
    name: form.name,
    description: form.description === undefined ? description : form.description,
    field_type: type,
    is_nullable: form.is_nullable ?? nullable,
    is_unique: form.is_unique ?? unique,
    default_value: form.default_value === undefined ? before.default : form.default_value,
  };
}

/** Removes a column with what it holds. Throws 404, and 400 for a column of another table and for the key. */
export async function removeColumn(deps: Deps, actor: Actor, id: number, columnId: number) {
  const { store, log } = deps;
  let dropped: ((on: Physical) => Promise<void>) | undefined;
  await changingColumns(deps, actor, id, async (change, table) => {
    const column = await requireColumn(table, columnId, { db: change.tx, written: true });
    await change.tx.query(queries.deleteColumn, [columnId]);
    dropped = async (on) => {
      await physical.lockTable(on, table);
      await physical.dropColumn(on, table, column);
    };
    if (!store.isSeparate) return await store.within(change.tx, dropped);
    // Nobody can fill it any more from here on, whatever happens to this process.
    await store.within(change.tx, async (on) => {
      await physical.lockTable(on, table);
      await physical.setNullable(on, table, { ...column, nullable: true });
    });
  });
  if (!store.isSeparate || !dropped) return;
  await store.alone(dropped).catch((error) => {
    log.warn("column is dropped later, by housekeeping", { column: columnId, error });
  });
}

/** Changes the columns of a locked table, then its structure, and what it is found by; the table as JSON text. */
async function changingColumns(
  deps: Deps,
  actor: Actor,
  id: number,
  work: (change: Change, table: Table) => Promise<void>,
): Promise<string> {
  try {
    return await changing(deps, actor, async (change) => {
      const { tx } = change;
      const table = await lockLookupTable(change, id);
      await lockStore(tx);
      await work(change, table);
      await tx.query(touchTable, [id, new Date(deps.clock.now())]);
      await writeStructure(tx, id);
      await refreshDocuments(tx, "lookup_table", [id]);
      change.searchable([table.entity]);
      return (await tx.query(queries.tableJson, [id]))[0]!.json;
    });
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error;
    throw unavailable("The rows of the table are being written or exported: try again", 3, error);
  }
}

/** Locks the table, by its data entity, and returns it. Throws 404 for an unknown and for a deleted one. */
export async function lockLookupTable({ tx }: Change, id: number): Promise<Table> {
  const entity = requireFound(await tx.query(queries.entityOf, [id]), "Lookup table", id);
  await lockEntities(tx, [entity.id]);
  return await requireTable(tx, id);
}

async function requireColumn(
  table: Table,
  id: number,
  { db, written = false }: { db: Queryable; written?: boolean },
): Promise<Column> {
  const column = table.columns.find((one) => one.id === id);
  if (!column) {
    requireFound(await db.query(queries.columnJson, [id]), "Lookup table column", id);
    throw badRequest(`Column ${id} does not belong to lookup table ${table.id}`, [
      { field: "column_id", message: `must be a column of lookup table ${table.id}` },
    ]);
  }
  if (written && column.key) {
    throw badRequest('The column "id" is the key of all rows: it cannot be changed');
  }
  return column;
}

/** Throws 400 when defaults would make a row that is there larger than a row may be. */
async function checkRows(on: Physical, table: Table, added: Column[]): Promise<void> {
  // Smaller ones, however many columns there are, come to no more than another row.
  const large = added.filter((c) => bytesOf(c.type, c.default) > maxRowBytes / maxColumns);
  if (large.length === 0) return;
  const max = await physical.largestRow(on, table);
  if (max === null) return;
  const bytes = large.reduce((sum, c) => sum + bytesOf(c.type, c.default), max);
  if (bytes <= maxRowBytes) return;
  throw invalid(
    `[${added.indexOf(large.at(-1)!)}].default_value`,
    `a row that is there would hold ${bytes} bytes, more than ${maxRowBytes}`,
  );
}

async function addOne(on: Physical, table: Table, column: Column, at: string): Promise<void> {
  if (!column.nullable && column.default === null && column.type !== "SERIAL") {
    const rows = await physical.rowCount(on, table);
    if (rows > 0) {
      const what = `column "${column.name}" must hold something in ${rows} rows that are there`;
      throw invalid(`${at}.is_nullable`, `${what}: give it a default, or let it be empty`);
    }
  }
  await physical.addColumn(on, table, column);
  if (column.unique) await changeUnique(on, table, column, at);
}

async function changeNullable(on: Physical, table: Table, column: Column, at: string) {
  const empty = column.nullable ? 0 : await physical.emptyCells(on, table, column);
  if (empty > 0) {
    throw invalid(`${at}is_nullable`, `column "${column.name}" is empty in ${empty} rows`);
  }
  await physical.setNullable(on, table, column);
}

async function changeUnique(on: Physical, table: Table, column: Column, at: string) {
  const field = at === "" ? "is_unique" : `${at}.is_unique`;
  const repeated = column.unique ? await physical.repeatedCells(on, table, column) : 0;
  if (repeated > 0) {
    const what = `column "${column.name}" holds the same as another row in ${repeated} rows`;
    throw conflict(`Invalid column: ${field}: ${what}`, [{ field, message: what }]);
  }
  if (await physical.setUnique(on, table, column)) return;
  throw invalid(field, `column "${column.name}" holds cells that are too long to be unique`);
}

/** The column of a form; throws 400 for a default that the column cannot hold. */
function columnOf(form: LookupTableFieldForm, id: number, at: string): Column {
  const { name, description, field_type: type, is_unique: unique } = form;
  const nullable = form.is_nullable && type !== "SERIAL";
  const field = at === "" ? "default_value" : `${at}.default_value`;
  const cell = readCell({ name, type, unique, nullable: true }, form.default_value ?? null);
  if ("fault" in cell) throw invalid(field, cell.fault);
  if (cell.value !== null && type === "SERIAL") {
    throw invalid(field, `column "${name}" numbers itself: it takes no default`);
  }
  return {
    id,
    name,
    normalised: physical.normalised(name),
    physical: physical.physicalColumn(name, id),
    description,
    type,
    key: false,
    nullable,
    unique,
    default: cell.value,
  };
}

/** Throws 400 when one of the columns has the name of another one, in its normalised form; `fieldOf` names its place. */
function checkNames(
  others: Column[],
  columns: Column[],
  fieldOf: (index: number) => string,
): void {
  const seen = new Map(others.map(({ name, normalised }) => [normalised, name]));
  for (const [i, { name, normalised }] of columns.entries()) {
    const other = seen.get(normalised);
    if (other !== undefined) {
      const message = `the table has a column "${other}", which is the same name as "${name}"`;
      const field = fieldOf(i);
      throw conflict(`Invalid column: ${field}: ${message}`, [{ field, message }]);
    }
    seen.set(normalised, name);
  }
}

/** 400 for a column. */
function invalid(field: string, message: string) {
  return invalidFields("column", [{ field, message }]);
}
