import { maxProblems } from "#contract/connections/connection.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import type { Limit } from "#kit/limits.ts";
import { maxAttempts } from "./active-run.ts";
import { maxSql } from "./connectors/postgresql/views.ts";
import { maxTree } from "./connectors/postgresql/page.ts";
import { pageSize } from "./connectors/postgresql/read.ts";

const row = (bounds: string, limit: Limit["limit"], beyond: string): Limit => (
  { entrance: "connections", bounds, limit, beyond }
);

/** What a run of a connection may cost. */
export const collectorLimits: Limit[] = [
  row("runs at a time in one process", { key: "connections.concurrency" }, "waits"),
  row("assets that wait to be published", maxChunkItems, "the next batch"),
  row("problems that a run names", maxProblems, "only counted"),
  row("processes that end while they do a run", maxAttempts, "the run has failed"),
  row("tables and views of PostgreSQL in memory", pageSize, "the next page"),
  row("bytes of a parsed view of PostgreSQL", maxTree, "no column lineage of it"),
  row("characters of the SQL of a view", maxSql, "cut"),
];
