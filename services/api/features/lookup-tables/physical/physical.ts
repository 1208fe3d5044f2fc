import type { Transaction } from "#metadata/postgres/database.ts";
import type { Column, Table } from "../structure.queries.ts";

/** A column that was made to number on from `given`; `before`: the number that it had given last, if any. */
export interface SequenceAdvance {
  table: Table;
  column: Column;
  before: number | null;
  given: number;
}

/** Columns of cells: one list of texts for each written column, in its order. */
export type Cells = (string | null)[][];

/** A transaction on the rows' database, and where the tables lie. */
export interface Physical {
  tx: Transaction;
  schema: string;
  /** By their ids, columns whose numbers no transaction takes back by itself: done when the work fails. */
  undo?: Map<number, SequenceAdvance>;
}
