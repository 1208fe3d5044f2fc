import type { Context } from "#platform/context.ts";
import { lineageOfRuns } from "./lineage.queries.ts";
import * as queries from "./queries.ts";

// expression-ok -- fixed lengths
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUIDs are stored in lower case. */
const storedId = (runId: string) => uuid.test(runId) ? runId.toLowerCase() : runId;

/** What events reported about the runs of an id (OpenLineageRunList), as JSON text. */
export function findRuns({ db }: Pick<Context, "db">, runId: string): Promise<string> {
  return queries.runsOf(db, storedId(runId));
}

/** What the runs of an id read and wrote (OpenLineageRunLineageList), as JSON text. */
export function findLineage({ db }: Pick<Context, "db">, runId: string): Promise<string> {
  return lineageOfRuns(db, storedId(runId));
}
