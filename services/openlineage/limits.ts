import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { Limit } from "#kit/limits.ts";

import { maxColumnsWithMetrics } from "./mapper/metrics.ts";
import { maxListedDatasets } from "./mapper/run-metadata.ts";
import { maxTests } from "./mapper/run.ts";
import { maxAhead } from "#platform/composed-source/applied.ts";
import { maxOpenRuns } from "./publisher/facts.queries.ts";
import { aheadMs, maxTogether } from "./merger.ts";
import { maxNamedCharacters } from "./service.ts";
import { maxHashedCharacters } from "./state/facets.ts";
import { maxGroup } from "./state/aliases.ts";
import { maxSide } from "./state/model.ts";
import { maxSymlinks } from "./state/dataset-events.ts";
import { maxAncestors, maxChildren } from "./state/hierarchy.ts";
import { maxJobSide } from "./state/job-io.ts";
import { maxCounted, maxSeenColumns } from "./state/states.ts";
import { maxClosure } from "./store/dirty.queries.ts";

const records = "records of openlineage.events";
const first = "the first count";
const newest = "the newest count";

const row = (bounds: string, limit: Limit["limit"], beyond: string): Limit => (
  { entrance: records, bounds, limit, beyond }
);

/** What OpenLineage events may cost once they are taken in. */
export const openLineageStateLimits: Limit[] = [
  row("records merged in one transaction", maxTogether, "the next transaction"),
  row("batches that wait to be applied before more are composed", maxAhead, "waits, at most 2 s"),
  row(
    "characters of facets with cached hashes",
    maxHashedCharacters,
    "the oldest are removed",
  ),
  row("characters of names with cached CATRNs", maxNamedCharacters, "the oldest are removed"),
  row("time ahead of when an event was received, ms", aheadMs, "counts as that much ahead"),
  row("datasets of a side of an event", maxSide, first),
  row("other names of a dataset in an event", maxSymlinks, first),
  row("names of one dataset", maxGroup, "further ones are not resolved; intake warning"),
  row("names resolved from one name", maxClosure, "further ones are not resolved"),
  row("columns of a dataset reported by inputs", maxSeenColumns, first),
  row("inputs or outputs of a job", maxJobSide, first),
  row("runs of a job that have not ended, or failed since, that count", maxOpenRuns, newest),
  row("members of a parent job", maxChildren, newest),
  row("jobs above a job", maxAncestors, "further ones are ignored"),
  row("events of a run that are counted", maxCounted, "not counted"),
  row("tests of a run", maxTests, first),
  row("columns of a dataset with stored metrics", maxColumnsWithMetrics, first),
  row("datasets of a side whose versions and statistics a run lists", maxListedDatasets, first),
  row("edges between columns of a job", maxColumnEdges, first),
  row(
    "namespaces with a data source of their own",
    { key: "openlineage.max-namespaces" },
    "a shared one; intake warning",
  ),
];
