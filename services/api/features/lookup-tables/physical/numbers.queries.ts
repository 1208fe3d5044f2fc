import { countAlone } from "#metadata/catalogue/counted.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Column, Table } from "../structure.queries.ts";
import { columnNamed, named } from "./definition.queries.ts";
import type { Cells, Physical } from "./physical.ts";

/** The highest number that a column which numbers itself can hold. */
const maxNumber = 2_147_483_647;

/**
 * Fills in numbers where the sequence of a column has too few left: one row with the highest number would otherwise end
 * numbering for good. They are the lowest that no row has.
 */
export async function numberFromGaps(
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
