import { z } from "@hono/zod-openapi";
import { DataEntityRunList } from "#contract/catalogue/runs.ts";
import { runStatuses } from "#contract/entities.ts";
import { enumQuery, idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import { listRuns } from "#services/api/features/runs/service.ts";

const spec = operation({
  id: "getRuns",
  method: "get",
  path: "/api/dataentities/{data_entity_id}/runs",
  tag: "dataEntityRun",
  document: "platform",
  summary: "Runs of a transformer or test, the last to end first",
  access: "signed-in",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ ...pageQuery, status: enumQuery("status", [...runStatuses]) }),
  responses: { 200: { description: "One page", schema: DataEntityRunList } },
  errors: [404],
});

/** The operation that reads the runs of an entity. */
export function runRoutes(context: Context): Route[] {
  return [
    serve(
      spec,
      async ({ params, query }) => okJson(await listRuns(context, params.data_entity_id, query)),
    ),
  ];
}
