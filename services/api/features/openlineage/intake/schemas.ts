import { z } from "@hono/zod-openapi";
import { ErrorResponse } from "#contract/http.ts";
import { eventJsonLimits } from "#contract/openlineage/json.ts";
import { maxDatasets } from "#contract/openlineage/limits.ts";
import { maxEvents } from "./bounds.ts";

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
export const PostedEvent = z.looseObject({
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

export const PostedEvents = z.array(PostedEvent).max(maxEvents).openapi("OpenLineageEventList");
export const OneOrMany = z.union([PostedEvent, PostedEvents]);

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

/** A batch that was rejected completely, or a body that is not a batch. */
export const BatchRefusal = z.union([BatchReport, ErrorResponse]);
