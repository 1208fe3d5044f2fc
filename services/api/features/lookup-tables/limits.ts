import { type Limit, limit } from "#kit/limits.ts";

/** Most lookup tables, the deleted ones left out. */
export const maxTables = 10_000;
/** Most lookup tables with the deleted ones, which stand until they are purged. */
export const maxPhysicalTables = 2 * maxTables;
/** Maximum number of columns of a table, besides its key. */
export const maxColumns = 100;
/** Longest name of a table or a column, in UTF-16 units. */
export const maxName = 200;
/** Longest description of a table or a column, in UTF-16 units. */
export const maxDescription = 10_000;
/** Maximum number of rows of one request that is no import. */
export const maxRowsPerRequest = 1_000;
/** Largest cell, in bytes of UTF-8, as it is given and as it is shown. */
export const maxCellBytes = 16_384;
/** Largest cell of a column without repetitions, which an index must hold, in bytes of UTF-8. */
export const maxUniqueBytes = 2_000;
/** Largest row, in bytes of UTF-8: a page of the largest is bounded by it. */
export const maxRowBytes = 32_768;
/** Deepest nesting of JSON in a cell. */
export const maxCellDepth = 64;
/** Imports and exports that one process runs at once; each holds a connection. */
export const maxTransfers = 4;
/** Maximum time for the reader of an export to take its next piece, in milliseconds. */
export const exportMaxWaitMs = 30_000;
/** Rows that an import writes, or an export reads, at once. */
export const transferRows = 500;

const tables = "lookup tables";
const cells = "rows of lookup tables";

/** Limits of lookup tables. */
export const lookupLimits: Limit[] = [
  limit(tables, "tables, without deleted ones", maxTables),
  limit(tables, "tables, with deleted ones that are not purged yet", maxPhysicalTables),
  limit(tables, "columns of a table", maxColumns),
  limit(tables, "name of a table or column, UTF-16 units", maxName),
  limit(tables, "description of a table or column, UTF-16 units", maxDescription),
  limit(cells, "rows of a table", { key: "metadata.lookup.max-rows" }, "400"),
  limit(cells, "rows of one request", maxRowsPerRequest),
  limit(cells, "cell, bytes", maxCellBytes),
  limit(cells, "cell of a unique column, bytes", maxUniqueBytes),
  limit(cells, "row, bytes", maxRowBytes),
  limit(cells, "nesting of JSON in a cell", maxCellDepth),
  limit(
    cells,
    "CSV file after decompression, bytes",
    { key: "metadata.lookup.max-import-size" },
    "413",
  ),
  limit(
    cells,
    "time of an import or export",
    { key: "metadata.lookup.import-timeout" },
    "408; an export is incomplete",
  ),
  limit(cells, "imports and exports of one process at once", maxTransfers, "503 with Retry-After"),
  limit(
    cells,
    "imports and exports of one caller at once",
    maxTransfers / 2,
    "429 with Retry-After",
  ),
];
