import { z } from "@hono/zod-openapi";
import { Impact } from "#contract/catalogue/asset-health.ts";
import { idParam, textQuery } from "#contract/http.ts";
import { lineageHeaders } from "#contract/lineage.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { lineageImpact } from "#services/api/features/lineage/service.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";

const impact = operation({
  id: "getDataEntityImpact",
  method: "get",
  path: "/api/dataentities/{data_entity_id}/impact",
  tag: "dataEntity",
  document: "platform",
  summary: "What a change of the entity, or of one of its columns, reaches",
  access: "signed-in",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ column: textQuery("column") }),
  responses: {
    200: {
      description: "Counts by type and owner; for a column also the columns computed from it",
      schema: Impact,
      headers: lineageHeaders,
    },
  },
  errors: [404],
});

/** The operation for the impact of an entity or a column; its walks take their turn with those of lineage. */
export function impactRoute(context: Context, queue: LineageQueue): Route {
  return serve(impact, async ({ params, query, actor }) => {
    const { answer, headers } = await queue.run(
      () => lineageImpact(context, params.data_entity_id, query.column),
      actor,
    );
    return ok(answer, headers);
  });
}
