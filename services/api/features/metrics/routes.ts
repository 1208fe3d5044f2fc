import { z } from "@hono/zod-openapi";
import { MetricSet } from "#contract/catalogue/metrics.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/metrics/service.ts";

const common = {
  method: "get" as const,
  document: "platform" as const,
  access: "signed-in" as const,
  responses: { 200: { description: "The latest point of each series", schema: MetricSet } },
  errors: [404],
};

const entitySpec = operation({
  ...common,
  id: "getDataEntityMetrics",
  path: "/api/dataentities/{data_entity_id}/metrics",
  tag: "dataEntity",
  summary: "Metrics of an entity",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
});

const fieldSpec = operation({
  ...common,
  id: "getDatasetFieldMetrics",
  path: "/api/datasetfields/{dataset_field_id}/metrics",
  tag: "datasetField",
  summary: "Metrics of a dataset field",
  params: z.object({ dataset_field_id: idParam("dataset_field_id") }),
});

/** The operations that read metrics of entities and of dataset fields. */
export function metricRoutes(context: Context): Route[] {
  return [
    serve(
      entitySpec,
      async ({ params }) => okJson(await service.metricsOfEntity(context, params.data_entity_id)),
    ),
    serve(
      fieldSpec,
      async ({ params }) => okJson(await service.metricsOfField(context, params.dataset_field_id)),
    ),
  ];
}
