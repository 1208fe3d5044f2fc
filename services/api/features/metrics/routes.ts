import { z } from "@hono/zod-openapi";
import { MetricSet } from "#contract/catalogue/metrics.ts";
import { idParam } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { foundJson } from "#services/api/list-json.ts";

const common = {
  method: "get" as const,
  access: "signed-in" as const,
  responses: { 200: { description: "The latest point of each series", schema: MetricSet } },
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
export function metricRoutes({ db }: Context): Route[] {
  return [
    serve(entitySpec, async ({ params: { data_entity_id: id } }) => {
      return foundJson(await db.query(entityMetrics, [id]), "Data entity", id);
    }),
    serve(fieldSpec, async ({ params: { dataset_field_id: id } }) => {
      return foundJson(await db.query(fieldMetrics, [id]), "Dataset field", id);
    }),
  ];
}

/** The latest points of an entity's metrics; MetricSet. */
const entityMetrics = statement<JsonRow>("entity-metrics")`
  SELECT json_metrics(e.catrn)::text AS json FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** The latest points of a dataset field's metrics; MetricSet. */
const fieldMetrics = statement<JsonRow>("field-metrics")`
  SELECT json_metrics(f.catrn)::text AS json FROM dataset_field f WHERE f.id = $1`;
