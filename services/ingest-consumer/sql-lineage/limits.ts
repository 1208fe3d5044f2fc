import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { Limit } from "#kit/limits.ts";

/** Maximum number of bytes of the SQL of one entity. */
export const maxSqlBytes = 65_536;

/** Milliseconds that reading the SQL of one entity may take. */
export const readMs = 2_000;

/** Maximum number of datasets that an entity with SQL reads and writes, and most fields that they have in all. */
export const maxDatasets = 500;
export const maxSchemaFields = 20_000;

/** Maximum number of times that processes may end while they read the SQL of one entity. */
export const maxAttempts = 3;

/** Maximum number of entities that wait to be looked at; what is beyond is found by the next sweep. */
export const maxHints = 10_000;

const row = (bounds: string, limit: number, beyond: string): Limit => (
  { entrance: "SQL of transformers", bounds, limit, beyond }
);

/** Limits on SQL that column lineage is read from. */
export const sqlLimits: Limit[] = [
  row("bytes", maxSqlBytes, "no columns, too_long"),
  row("time to parse, ms", readMs, "no columns, too_slow"),
  row("datasets that it reads and writes", maxDatasets, "no columns, too_many"),
  row("fields of their newest structures, not nested", maxSchemaFields, "no columns, too_many"),
  row("edges", maxColumnEdges, "no columns, too_many"),
  row("processes that crashed while parsing it", maxAttempts, "no columns, crashed"),
  row("entities waiting to be parsed", maxHints, "found by the next sweep"),
];
