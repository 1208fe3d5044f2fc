import { z } from "@hono/zod-openapi";
import { sourceAlertTypes } from "#contract/alerts.ts";
import { boundedArray } from "#contract/bounded.ts";
import { Catrn } from "./values.ts";

/** Maximum number of alerts of one request. */
export const maxSourceAlerts = 10_000;

/** A collector's report that it cannot collect from a data source. A long message is truncated. */
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
