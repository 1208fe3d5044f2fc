import type { Context } from "#platform/context.ts";
import * as queries from "./queries.ts";

// expression-ok -- fixed lengths
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What events reported about the runs of an id (OpenLineageRunList), as JSON text. */
export function findRuns({ db }: Pick<Context, "db">, runId: string): Promise<string> {
  // UUIDs are stored in lower case.
  return queries.runsOf(db, uuid.test(runId) ? runId.toLowerCase() : runId);
}
