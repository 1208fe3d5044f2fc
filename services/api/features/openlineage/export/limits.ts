import { limit } from "#kit/limits.ts";

/** Exports that one process runs at once. */
export const maxExports = 2;
/** Maximum number of entities that are read at once, and most fields and edges of those together, unless one alone has more. */
export const page = { entities: 500, parts: 20_000 };
/** Most inputs, and most outputs, of one event. */
export const maxExportedSide = 10_000;
/** Deepest level of fields that are nested in others. */
export const maxExportedNesting = 30;
/** Characters of events after which a piece is sent. */
export const pieceLength = 262_144;
/** Maximum time for the reader of an export to take its next piece, in milliseconds. */
export const exportMaxWaitMs = 30_000;
/** Longest time of an export, in milliseconds. */
export const exportTimeMs = 3_600_000;

const path = "GET /api/openlineage/export";

/** Limits on exports of lineage. */
export const openLineageExportLimits = [
  limit(path, "exports of one process at once", maxExports, "503 with Retry-After"),
  limit(path, "exports of one caller at once", maxExports / 2, "429 with Retry-After"),
  limit(path, "wait for the client to read, ms", exportMaxWaitMs, "the export is incomplete"),
  limit(path, "time, ms", exportTimeMs, "the export is incomplete"),
  limit(path, "inputs or outputs of an event", maxExportedSide, "the first; `tributary_cut`"),
  limit(path, "levels of nested fields", maxExportedNesting, "deeper ones are left out"),
];
