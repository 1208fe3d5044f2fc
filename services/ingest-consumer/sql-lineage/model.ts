import type { SqlGapReason } from "#contract/column-lineage.ts";
import type { ColumnRef } from "../writes/columns.ts";

/** A dataset that SQL may name. */
export interface SqlDataset {
  id: number;
  catrn: string;
  name: string | null;
  /** Names of the fields of the newest structure, in order, without nested ones; empty when there is none. */
  fields: string[];
}

/** SQL, and between which datasets it moves data. */
export interface SqlJob {
  sql: string;
  inputs: SqlDataset[];
  outputs: SqlDataset[];
  /** The dialect that it is read as; that of the datasets' systems when absent. */
  dialect?: string;
}

export interface SqlEdge {
  source: ColumnRef;
  target: ColumnRef;
  kind: "DIRECT" | "INDIRECT";
  /** How the source is used: in a filter, a join, …; null if unknown. */
  subtype: string | null;
}

/**
 * Why no columns were read from SQL: it is longer than `maxSqlBytes`; it took too long; its thread ended otherwise;
 * it cannot be parsed; it has a statement that cannot be parsed, or none that writes; what it writes is not one of
 * the outputs; no column of it could be traced; more datasets or edges than are taken.
 */
export const refusals = [
  "too_long",
  "too_slow",
  "crashed",
  "syntax",
  "statement",
  "target",
  "columns",
  "too_many",
] as const;
export type Refusal = (typeof refusals)[number];

/** Something that could not be traced. */
export interface SqlGap {
  /** The output that it is about; undefined for a statement that was not read. */
  dataset: number | undefined;
  /** The column; undefined if it is ambiguous. */
  column: string | undefined;
  reason: SqlGapReason;
  /** Where in the SQL, from 1. */
  line: number | undefined;
  position: number | undefined;
}

/** Column lineage read from SQL. */
export type SqlLineageResult = ({ edges: SqlEdge[] } | { refused: Refusal }) & {
  /** Edges that were left out, since the structure of an output lacks their column. */
  dropped?: number;
  gaps?: SqlGap[];
};
