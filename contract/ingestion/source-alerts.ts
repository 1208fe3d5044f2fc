import { z } from "@hono/zod-openapi";
import { sourceAlertTypes } from "#contract/alerts.ts";
import { boundedArray } from "#contract/bounded.ts";
import { Catrn } from "./values.ts";

/** Most alerts of one request. */
export const maxSourceAlerts = 10_000;

/** What a collector tells of a data source that it cannot collect from. A long message is cut. */
export const IngestionAlert = z.object({
  data_source_catrn: Catrn,
  message: z.string(),
  type: z.enum(sourceAlertTypes).openapi("IngestionAlertType"),
}).openapi("IngestionAlert");
export type IngestionAlert = z.output<typeof IngestionAlert>;

/** The body of `POST /ingestion/alerts`. */
export const IngestionAlertList = z.object({
  items: boundedArray(IngestionAlert, maxSourceAlerts),
}).openapi("IngestionAlertList");
