import { z } from "@hono/zod-openapi";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { DataEntitySearchHighlight } from "#services/api/features/search/schemas.ts";
import { entitySearch, highlights } from "#services/api/features/search/service.ts";
import { searchId } from "#services/api/search/operations.ts";
import { familyRoutes } from "#services/api/search/routes.ts";

const highlightsSpec = operation({
  tag: entitySearch.tag,
  document: "platform",
  access: "signed-in",
  id: "highlightDataEntity",
  method: "get",
  path: `${entitySearch.path}/{search_id}/data_entities/{data_entity_id}/highlights`,
  summary: "Where a search finds its words in an entity, as HTML",
  params: z.object({ search_id: searchId, data_entity_id: idParam("data_entity_id") }),
  responses: { 200: { description: "The texts with a match", schema: DataEntitySearchHighlight } },
  errors: [404],
});

/** The operations of the generic search over entities. */
export function searchRoutes(context: Context): Route[] {
  return [
    ...familyRoutes(context, entitySearch),
    serve(
      highlightsSpec,
      async ({ params }) => ok(await highlights(context, params.search_id, params.data_entity_id)),
    ),
  ];
}
