import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { runStatuses } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const OpenLineageRun = z.object({
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

export const OpenLineageRunList = z.object({ items: z.array(OpenLineageRun) })
  .openapi("OpenLineageRunList");

const Count = z.number().int().openapi({ format: "int64" });

export const OpenLineageRunDataset = z.object({
  entity_id: optional(Id).openapi({ description: "Null until it is in the catalogue" }),
  catrn: z.string(),
  namespace: z.string(),
  name: z.string().openapi({ description: "As the events of this run name it" }),
  version: optional(z.string()).openapi({ description: "`datasetVersion` of the facet `version`" }),
  rows: optional(Count),
  bytes: optional(Count),
  files: optional(Count),
}).openapi("OpenLineageRunDataset");

export const OpenLineageRunSide = z.object({
  total: Count.openapi({ description: "How many there are; at most 200 are listed" }),
  items: z.array(OpenLineageRunDataset),
}).openapi("OpenLineageRunSide");

export const OpenLineageRunLineage = z.object({
  job_entity_id: optional(Id),
  job_catrn: z.string(),
  state: optional(z.enum(runStatuses)),
  inputs: OpenLineageRunSide,
  outputs: OpenLineageRunSide,
}).openapi("OpenLineageRunLineage");

export const OpenLineageRunLineageList = z.object({ items: z.array(OpenLineageRunLineage) })
  .openapi("OpenLineageRunLineageList");
