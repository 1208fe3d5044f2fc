import { plannedEachTime } from "#metadata/postgres/statement.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import type { Physical } from "#platform/lookup-store.ts";
import type { Column, Table } from "../structure.queries.ts";
import { types } from "../types.ts";
import { type Cells, columnNamed, lockTableIn, named } from "./definition.queries.ts";

/** A row as text: one for each column of the table, the key included. */
export interface TextRow {
  id: number;
  cells: (string | null)[];
}

const textsOf = (columns: Column[]) =>
  `ARRAY[${columns.map((c) => types[c.type].shown(columnNamed(c))).join(", ")}]::text[]`;

/** A page of rows, the newest first, and how many there are; `first`: a row that comes before them, on the first page. */
export async function pageOfRows(
  { tx, schema }: Physical,
  table: Table,
  { limit, offset, first = null }: { limit: number; offset: number; first?: number | null },
): Promise<{ total: number; rows: TextRow[] }> {
  const found = await tx.query<{ total: number; id: number | null; cells: TextRow["cells"] }>(
    `SELECT t.total, page.id, page.cells
       FROM (SELECT count(*) AS total FROM ${named(schema, table)}) t
       LEFT JOIN LATERAL (
         SELECT id, ${textsOf(table.columns)} AS cells FROM ${named(schema, table)} WHERE id = $3
          UNION ALL
         (SELECT id, ${textsOf(table.columns)} AS cells FROM ${named(schema, table)}
           WHERE $3::integer IS NULL OR id <> $3 ORDER BY id DESC
           LIMIT $1::bigint - ($3::integer IS NOT NULL)::integer OFFSET $2)) page ON true
      ORDER BY page.id IS DISTINCT FROM $3, page.id DESC`,
    [limit, offset, first],
  );
  const rows = found.flatMap(({ id, cells }) => (id === null ? [] : [{ id, cells }]));
  return { total: found[0]!.total, rows };
}

/** Opens a cursor over all rows, the oldest first: what is committed now. */
export async function openRows({ tx, schema }: Physical, table: Table): Promise<void> {
  await tx.query(
    `DECLARE rows NO SCROLL CURSOR FOR
       SELECT id, ${textsOf(table.columns)} AS cells FROM ${named(schema, table)} ORDER BY id`,
  );
}

/** The next rows of the cursor, none after the last. */
export async function nextRows({ tx }: Physical, count: number): Promise<TextRow[]> {
  return await tx.query<TextRow>(`FETCH ${Math.trunc(count)} FROM rows`);
}

const sequence = (schema: string, table: Table, column: Column, bind: (v: unknown) => string) =>
  `pg_get_serial_sequence(${bind(named(schema, table))}, ${bind(column.physical)})`;

/** Adds rows in the given order. A column that numbers itself takes the next number for nothing. */
// change-ok -- rows are no part of the catalogue; the store begins their transactions
export async function insertRows(
  on: Physical,
  table: Table,
  columns: Column[],
  given: Cells,
): Promise<void> {
  await advance(on, table, columns, given);
  const cells = await numberFromGaps(on, table, columns, given);
  const { tx, schema } = on;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const lists = cells.map((list) => `${bind(list)}::text[]`);
  const names = columns.map((_, i) => `c${i}`);
  const written = columns.map((column, i) => {
    const cell = `x.c${i}::${types[column.type].storage}`;
    if (column.type !== "SERIAL") return cell;
    return `coalesce(${cell}, nextval(${sequence(schema, table, column, bind)}::regclass))`;
  });
  await tx.query(
    `INSERT INTO ${named(schema, table)} (${columns.map(columnNamed).join(", ")})
     SELECT ${written.join(", ")}
       FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS x (${names.join(", ")}, n) ORDER BY n`,
    values,
  );
}

/** Lets columns that number themselves go on above the numbers that were given. */
async function advance(
  on: Physical,
  table: Table,
  columns: Column[],
  cells: Cells,
): Promise<void> {
  for (const [i, column] of columns.entries()) {
    if (column.type !== "SERIAL") continue;
    const given = cells[i]!.reduce((max, cell) => Math.max(max, Number(cell ?? 0)), 0);
    if (given >= 1) await advanceTo(on, table, column, given);
  }
}

const setForward = plannedEachTime<{ before: number | null; setval: number }>("lookup-advance")`
  WITH s AS MATERIALIZED (
    SELECT n.name, pg_sequence_last_value(n.name) AS before
      FROM (SELECT pg_get_serial_sequence($1, $2)::regclass AS name) n)
  SELECT before, setval(name, $3::bigint) FROM s WHERE coalesce(before, 0) < $3::bigint`;

/** Sequences do not go back with their transaction, so this is noted to be undone. */
async function advanceTo(
  { tx, schema, undo }: Physical,
  table: Table,
  column: Column,
  given: number,
): Promise<void> {
  const names = [named(schema, table), column.physical];
  const [set] = await tx.query(setForward, [...names, given]);
  if (!set || !undo) return;
  const { before } = undo.get(column.id) ?? set;
  const stepBack = async ({ tx, schema }: Physical) => {
    await tx.query(goBack, [named(schema, table), column.physical, given, before]);
  };
  undo.set(column.id, { before, stepBack });
}

/** Lets a column number as before; not when somebody else has gone on from there. */
const goBack = plannedEachTime("lookup-step-back")`
  SELECT setval(name, coalesce($4::bigint, 1), $4::bigint IS NOT NULL)
    FROM (SELECT pg_get_serial_sequence($1, $2)::regclass AS name) n
   WHERE pg_sequence_last_value(name) = $3::bigint`;

/** Replaces the cells of a row; false when there is no such row. A number of its own stays for nothing. */
export async function updateRow(
  { tx, schema }: Physical,
  table: Table,
  columns: Column[],
  row: number,
  cells: (string | null)[],
): Promise<boolean> {
  const set = columns.map((column, i) => {
    const cell = `$${i + 2}::text::${types[column.type].storage}`;
    const name = columnNamed(column);
    return `${name} = ${column.type === "SERIAL" ? `coalesce(${cell}, ${name})` : cell}`;
  });
  const found = await tx.query(
    `UPDATE ${named(schema, table)} SET ${set.join(", ")} WHERE id = $1 RETURNING id`,
    [row, ...cells],
  );
  return found.length > 0;
}

// change-ok -- rows are no part of the catalogue; the store begins their transactions
export async function deleteRow(
  { tx, schema }: Physical,
  table: Table,
  row: number,
): Promise<boolean> {
  const sql = `DELETE FROM ${named(schema, table)} WHERE id = $1 RETURNING id`;
  return (await tx.query(sql, [row])).length > 0;
}

/** Removes all rows, in portions; nobody else writes until the transaction ends. */
// change-ok -- rows are no part of the catalogue; the store begins their transactions
export async function clearRows(on: Physical, table: Table): Promise<void> {
  const { tx, schema } = on;
  const at = named(schema, table);
  await lockTableIn(on, table, { mode: "SHARE ROW EXCLUSIVE", seconds: 10 });
  for (;;) {
    const gone = await tx.query<{ count: number }>(
      `WITH gone AS (DELETE FROM ${at} WHERE id IN (SELECT id FROM ${at} ORDER BY id LIMIT 50000)
         RETURNING 1) SELECT count(*) AS count FROM gone`,
    );
    if (gone[0]!.count === 0) return;
  }
}

/** The places, from 1, of values that repeat an earlier one or what another row holds. */
export async function repeatedValues(
  { tx, schema }: Physical,
  table: Table,
  column: Column,
  values: (string | null)[],
  { except, max }: { except: number | null; max: number },
): Promise<number[]> {
  const name = columnNamed(column);
  const rows = await tx.query<{ n: number }>(
    `SELECT n FROM (
       SELECT n, row_number() OVER (PARTITION BY v ORDER BY n) > 1 AS again,
              EXISTS (SELECT FROM ${named(schema, table)} t
                       WHERE t.${name} = x.v AND t.id IS DISTINCT FROM $2::bigint) AS taken
         FROM (SELECT n, v::${types[column.type].storage} AS v
                 FROM unnest($1::text[]) WITH ORDINALITY AS g (v, n) WHERE v IS NOT NULL) x) judged
      WHERE again OR taken ORDER BY n LIMIT $3`,
    [values, except, max],
  );
  return rows.map(({ n }) => n);
}

/** The highest number that a column which numbers itself can hold. */
const maxNumber = 2_147_483_647;

/**
 * Fills in numbers where the sequence of a column has too few left: one row with the highest number would otherwise end
 * numbering for good. They are the lowest that no row has.
 */
async function numberFromGaps(
  on: Physical,
  table: Table,
  columns: Column[],
  cells: Cells,
): Promise<Cells> {
  const filled = [...cells];
  for (const [i, column] of columns.entries()) {
    if (column.type !== "SERIAL") continue;
    const needed = cells[i]!.filter((cell) => cell === null).length;
    if (needed === 0 || await lastNumber(on, table, column) + needed <= maxNumber) continue;
    const free = (await freeNumbers(on, table, column, cells[i]!, needed)).values();
    filled[i] = cells[i]!.map((cell) => cell ?? String(free.next().value));
  }
  return filled;
}

const last = plannedEachTime<{ last: number }>("lookup-last-number")`
  SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0) AS last`;

async function lastNumber({ tx, schema }: Physical, table: Table, column: Column): Promise<number> {
  const [row] = await tx.query(last, [named(schema, table), column.physical]);
  return row!.last;
}

/** So many numbers from 1 that neither a row nor a given cell has; others who need some wait until the transaction ends. */
async function freeNumbers(
  { tx, schema }: Physical,
  table: Table,
  column: Column,
  given: (string | null)[],
  count: number,
): Promise<number[]> {
  await countAlone(tx, `numbers of ${schema}.${table.physical}`);
  const rows = await tx.query<{ number: number }>(
    `WITH used AS MATERIALIZED (
       SELECT ${columnNamed(column)} AS number FROM ${named(schema, table)}
        WHERE ${columnNamed(column)} >= 1
       UNION SELECT unnest($1::integer[]))
     SELECT n AS number
       FROM generate_series(1, (SELECT count(*) FROM used)::integer + $2::integer) n
      WHERE NOT EXISTS (SELECT FROM used u WHERE u.number = n)
      ORDER BY n LIMIT $2::integer`,
    [given.filter((cell) => cell !== null).map(Number), count],
  );
  return rows.map(({ number }) => number);
}
