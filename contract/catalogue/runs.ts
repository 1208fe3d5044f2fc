import { z } from "@hono/zod-openapi";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { runStatuses } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const DataEntityRunStatus = z.enum(runStatuses).openapi("DataEntityRunStatus");
/** `data_entity_id` is the transformer or test that was run. */
export const DataEntityRun = z.object({
  id: Id,
  catrn: z.string(),
  name: z.string(),
  created_at: optional(Timestamp),
  updated_at: optional(Timestamp),
  data_entity_id: optional(Id),
  start_time: optional(Timestamp),
  end_time: optional(Timestamp),
  status_reason: optional(z.string()),
  status: DataEntityRunStatus,
  metadata: optional(z.record(z.string(), z.string())).openapi({
    description: "Further metadata from its source; null when there is none",
  }),
}).openapi("DataEntityRun");
export const DataEntityRunList = pageOf("DataEntityRunList", DataEntityRun);
