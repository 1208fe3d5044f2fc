import type { Lease } from "#metadata/postgres/leases.ts";
import type { CollectorDeps } from "../deps.ts";
import type { ClaimedRun } from "../runs.queries.ts";
import type { RunReport } from "./sink.ts";

/** What a run publishes with. */
export interface PublishingOptions {
  deps: CollectorDeps;
  run: Pick<ClaimedRun, "id" | "connection_id" | "source_catrn" | "connector">;
  lease: Lease;
  report: RunReport;
}
