import { z } from "@hono/zod-openapi";
import { ErrorResponse } from "#contract/http.ts";
import { eventJsonLimits } from "#contract/openlineage/json.ts";
import { maxDatasets } from "#contract/openlineage/limits.ts";
import { operation } from "#platform/operations/declare.ts";
import { maxEvents } from "./bodies.ts";

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

/** Members of one object: all of a body together have no more. */
const bound = { maxProperties: eventJsonLimits.members };
const facets = z.record(z.string(), z.unknown()).openapi(bound).optional();
const named = { namespace: z.string().optional(), name: z.string().optional(), facets };

const Dataset = z.looseObject({
  ...named,
  inputFacets: facets,
  outputFacets: facets,
}).openapi(bound);
const Datasets = z.array(Dataset).max(maxDatasets).optional();

/**
 * An event as clients send it. Only the members listed here are read, and almost nothing is required: what does not fit is
 * dropped, and the response reports how much.
 */
const PostedEvent = z.looseObject({
  eventTime: z.string(),
  eventType: z.string().optional(),
  producer: z.string().optional(),
  schemaURL: z.string().optional(),
  run: z.looseObject({ runId: z.string(), facets }).openapi(bound).optional(),
  job: z.looseObject({ namespace: z.string(), name: z.string(), facets }).openapi(bound).optional(),
  dataset: z.looseObject({ namespace: z.string(), name: z.string(), facets }).openapi(bound)
    .optional(),
  inputs: Datasets,
  outputs: Datasets,
}).openapi("OpenLineageEvent", bound);

const PostedEvents = z.array(PostedEvent).max(maxEvents).openapi("OpenLineageEventList");
const OneOrMany = z.union([PostedEvent, PostedEvents]);

const count = z.number().int();

export const BatchReport = z.object({
  status: z.enum(["success", "partial_success", "failure"]),
  summary: z.object({
    received: count,
    successful: count,
    failed: count,
    retriable: count,
    non_retriable: count,
  }),
  failed_events: z.array(z.object({ index: count, reason: z.string(), retriable: z.boolean() })),
}).openapi("OpenLineageBatchReport");
export type BatchReport = z.infer<typeof BatchReport>;

/** A batch that was refused completely, or a body that is not a batch. */
const BatchRefusal = z.union([BatchReport, ErrorResponse]);

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
