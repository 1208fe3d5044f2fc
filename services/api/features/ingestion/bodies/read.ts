import type { z } from "@hono/zod-openapi";
import { RoutedAlertList } from "#contract/ingestion/alertmanager.ts";
import { inspectJson, type JsonLimits } from "#contract/ingestion/inspect.ts";
import {
  DatasetStatisticsList,
  IngestedDataSourceList,
  IngestedMetricSetList,
} from "#contract/ingestion/others.ts";
import { parseBody } from "#contract/ingestion/parse.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";

/** The bodies that are validated and handed over whole, by name. */
const schemas = {
  datasources: IngestedDataSourceList,
  statistics: DatasetStatisticsList,
  metrics: IngestedMetricSetList,
  alerts: RoutedAlertList,
} satisfies Record<string, z.ZodType>;

export type BodyName = keyof typeof schemas;
export type BodyOf<N extends BodyName> = z.output<typeof schemas[N]>;

/** What such a body may hold: it is handed over as a tree, which costs the event loop time. */
export const bodyLimits: JsonLimits = {
  containers: 300_000,
  members: 1_000_000,
  elements: 300_000,
};

/** Spelling of keys, JSON, schema. Throws the 400 `AppError` of the answer. */
export function readBody<N extends BodyName>(name: N, body: Uint8Array): BodyOf<N> {
  // Its size first: translation and parsing cost memory by what it holds.
  const inspected = inspectJson(body, bodyLimits);
  // Labels of alerts are nobody's keys but the sender's.
  const bytes = name === "alerts" ? body : translateKeys(body);
  return parseBody(schemas[name], bytes, inspected) as BodyOf<N>;
}
