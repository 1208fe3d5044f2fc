import type { z } from "@hono/zod-openapi";
import { RoutedAlertList } from "#contract/ingestion/alertmanager.ts";
import { IngestionAlertList } from "#contract/ingestion/source-alerts.ts";
import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import {
  DatasetStatisticsList,
  IngestedDataSourceList,
  IngestedMetricSetList,
} from "#contract/ingestion/others.ts";
import { parseBody } from "#contract/ingestion/parse.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";

/** The bodies that are validated and passed on as a whole, by name. */
const schemas = {
  datasources: IngestedDataSourceList,
  statistics: DatasetStatisticsList,
  metrics: IngestedMetricSetList,
  alerts: RoutedAlertList,
  sourceAlerts: IngestionAlertList,
} satisfies Record<string, z.ZodType>;

export type BodyName = keyof typeof schemas;
export type BodyOf<N extends BodyName> = z.output<typeof schemas[N]>;

/** Limits on the contents of such a body: passing the parsed tree on costs event loop time. */
export const bodyLimits: JsonLimits = {
  containers: 300_000,
  members: 1_000_000,
  elements: 300_000,
};

/** Translates keys, parses and validates. Throws a 400 `AppError`. */
export function readBody<N extends BodyName>(name: N, body: Uint8Array): BodyOf<N> {
  // Limits come first: translation and parsing need memory in proportion to the contents.
  const inspected = inspectJson(body, bodyLimits);
  // Alert labels are keys chosen by the sender, so they are not translated.
  const bytes = name === "alerts" ? body : translateKeys(body);
  return parseBody(schemas[name], bytes, inspected) as BodyOf<N>;
}
