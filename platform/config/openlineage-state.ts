import { z } from "zod";
import { durationOrOff, someTime } from "#platform/config/kinds.ts";

/** How long what OpenLineage events say is remembered, and for how long it counts. */
export const openlineageState = {
  ttl: someTime("30 d").describe(
    "How long the state of a run is retained after its last event; that of the last 3 COMPLETE runs of a job stays",
  ),
  "runs-remembered": z.int().min(1).max(100).default(3).describe(
    "Number of latest COMPLETE runs whose inputs and outputs are shown as those of the job",
  ),
  "edge-ttl": durationOrOff("off").describe(
    "How long an input or output of a job is retained after the last run that names it, or `off`",
  ),
  "streaming-edge-ttl": durationOrOff("7 d").describe(
    "How long an input or output of a streaming job is retained after the last event that names it, or `off`",
  ),
  "job-ttl": durationOrOff("off").describe(
    "How long a job without events remains a member of its parent, or `off`",
  ),
  "run-timeout": someTime("24 h").describe(
    "Time without events after which a run that has not ended becomes UNKNOWN; runs of streaming jobs never do",
  ),
  refresh: someTime("5 min").describe(
    "How often unchanged items are posted again while their events arrive, so that they do not become stale",
  ),
};
