import { operation } from "#platform/operations/declare.ts";
import { BatchRefusal, BatchReport, OneOrMany, PostedEvents } from "./schemas.ts";

const common = {
  document: "ingestion",
  tag: "openlineage",
  method: "post",
  access: "collector",
  activity: { none: "the consumer records what the batch changes" },
  bodyType: "events",
  busyStatus: 503,
} as const;
const errors = [408, 413, 415];

export const warningsHeader = "X-Openlineage-Warnings";
export const stateHeader = "X-Ingestion-State";

const headers = {
  [stateHeader]: "queued: the events are in the event log; absent when none was taken",
  [warningsHeader]: "How many parts of the events were left out or cut; absent when none was",
};

const lists = {
  204: { description: "Of a list: all events are taken", headers },
  400: {
    description: "Nothing can be applied; details, or the list, contain the errors",
    schema: BatchRefusal,
  },
};

export const postLineage = operation({
  ...common,
  id: "postOpenLineageEvent",
  path: "/api/v1/lineage",
  aliases: ["/api/v1/lineage/"],
  summary: "Take an OpenLineage event, or a list of them, which is answered as a batch",
  rawBody: OneOrMany,
  errors,
  responses: {
    200: {
      description:
        "The event is taken, without a body; of a list: some are taken, others are named",
      schema: BatchReport.optional(),
      headers,
    },
    ...lists,
  },
});

export const postLineageBatch = operation({
  ...common,
  id: "postOpenLineageBatch",
  path: "/api/v1/lineage/batch",
  aliases: ["/api/v1/lineage/batch/"],
  summary: "Take OpenLineage events: a JSON array, or a line of JSON each",
  rawBody: PostedEvents,
  errors,
  responses: {
    200: { description: "Some events are taken, others are named", schema: BatchReport, headers },
    ...lists,
  },
});
