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
