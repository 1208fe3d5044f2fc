import { z } from "zod";
import { durationOrOff, someTime } from "#platform/config/kinds.ts";

/** How long what OpenLineage events say is remembered, and for how long it counts. */
export const openlineageState = {
  ttl: someTime("30 d").describe(
    "How long the state of a run is retained after its last event; that of the last 3 COMPLETE runs of a job stays",
  ),
  "runs-remembered": z.int().min(1).max(100).default(3).describe(
    "COMPLETE runs of a job whose inputs and outputs are those of the job",
  ),
  "edge-ttl": durationOrOff("off").describe(
    "How long an input or output of a job stays that no run shows again, or `off`",
  ),
  "streaming-edge-ttl": durationOrOff("7 d").describe(
    "How long an input or output of a streaming job stays that no event shows again, or `off`",
  ),
  "job-ttl": durationOrOff("off").describe(
    "How long a job stays a member of its parent without an event, or `off`",
  ),
  "run-timeout": someTime("24 h").describe(
    "Silence after which a run that has not ended becomes UNKNOWN; those of streaming jobs never do",
  ),
  refresh: someTime("5 min").describe(
    "How often what did not change is posted again while events of it come, so that it does not become stale",
  ),
};
