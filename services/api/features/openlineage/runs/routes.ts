import { z } from "@hono/zod-openapi";
import { Id, storableParameter, Timestamp } from "#contract/http.ts";
import { optional } from "#contract/catalogue/common.ts";
import { runStatuses } from "#contract/entities.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import * as service from "./service.ts";

const OpenLineageRun = z.object({
  entity_id: optional(Id).openapi({
    description: "The run as runs of its job are listed; null until it is in the catalogue",
  }),
  job_entity_id: optional(Id).openapi({ description: "Its job; null until that is catalogued" }),
  job_catrn: z.string(),
  state: optional(z.enum(runStatuses)).openapi({
    description: "What it has come to; null until it was composed",
  }),
  started_at: Timestamp,
  ended_at: optional(Timestamp),
  events: z.number().int().openapi({
    format: "int64",
    description: "Different events of it, each once however often it came; at most 100 are counted",
  }),
  last_event_at: Timestamp,
}).openapi("OpenLineageRun");

const OpenLineageRunList = z.object({ items: z.array(OpenLineageRun) })
  .openapi("OpenLineageRunList");

const Count = z.number().int().openapi({ format: "int64" });

const OpenLineageRunDataset = z.object({
  entity_id: optional(Id).openapi({ description: "Null until it is in the catalogue" }),
  catrn: z.string(),
  namespace: z.string(),
  name: z.string().openapi({ description: "As the events of this run name it" }),
  version: optional(z.string()).openapi({ description: "`datasetVersion` of the facet `version`" }),
  rows: optional(Count),
  bytes: optional(Count),
  files: optional(Count),
}).openapi("OpenLineageRunDataset");

const OpenLineageRunSide = z.object({
  total: Count.openapi({ description: "How many there are; at most 200 are listed" }),
  items: z.array(OpenLineageRunDataset),
}).openapi("OpenLineageRunSide");

const OpenLineageRunLineage = z.object({
  job_entity_id: optional(Id),
  job_catrn: z.string(),
  state: optional(z.enum(runStatuses)),
  inputs: OpenLineageRunSide,
  outputs: OpenLineageRunSide,
}).openapi("OpenLineageRunLineage");

const OpenLineageRunLineageList = z.object({ items: z.array(OpenLineageRunLineage) })
  .openapi("OpenLineageRunLineageList");

const runsSpec = operation({
  id: "getOpenLineageRuns",
  method: "get",
  path: "/api/openlineage/runs",
  document: "platform",
  tag: "openlineage",
  summary: "Status of a run from OpenLineage events",
  access: "signed-in",
  query: z.object({
    run_id: storableParameter.min(1).openapi({
      param: { name: "run_id", in: "query", required: true, description: "`runId` of the events" },
    }),
  }),
  responses: {
    200: {
      description: "The runs of this id; of a UUID there is one at most",
      schema: OpenLineageRunList,
    },
  },
});

const lineageSpec = operation({
  id: "getOpenLineageRunLineage",
  method: "get",
  path: "/api/openlineage/runs/{run_id}/lineage",
  document: "platform",
  tag: "openlineage",
  summary: "What a run from OpenLineage events read and wrote, with the versions of the datasets",
  access: "signed-in",
  params: z.object({
    run_id: storableParameter.min(1).openapi({
      param: { name: "run_id", in: "path", required: true, description: "`runId` of the events" },
    }),
  }),
  responses: {
    200: {
      description: "The runs of this id; none when no event reported it",
      schema: OpenLineageRunLineageList,
    },
  },
});

/** Runs of OpenLineage, by the ids that their events give them. */
export function openLineageRunRoutes(context: Pick<Context, "db">): Route[] {
  return [
    serve(runsSpec, async ({ query }) => okJson(await service.findRuns(context, query.run_id))),
    serve(
      lineageSpec,
      async ({ params }) => okJson(await service.findLineage(context, params.run_id)),
    ),
  ];
}
