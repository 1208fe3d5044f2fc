import { z } from "@hono/zod-openapi";
import { idParam } from "#contract/http.ts";
import { MetadataFieldValue, optional, TagList } from "#contract/catalogue/common.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entitySearch, highlights } from "#services/api/features/search/service.ts";
import { searchId } from "#services/api/search/operations.ts";
import { familyRoutes } from "#services/api/search/search.ts";

const text = optional(z.string());
/** The matching texts of an entity as HTML: matches in `<b>`, everything else escaped. */
export const DataEntitySearchHighlight = z.object({
  data_entity: optional(
    z.object({
      external_name: text,
      external_description: text,
      internal_name: text,
      internal_description: text,
    }).openapi("DataEntityHighlight"),
  ),
  data_source: optional(z.object({ name: text, catrn: text }).openapi("DataSourceHighlight")),
  namespace: optional(z.object({ name: text }).openapi("NamespaceHighlight")),
  tags: optional(TagList),
  owners: optional(z.array(z.object({ owner: text, title: text }).openapi("OwnershipHighlight"))),
  terms: optional(z.array(z.object({ name: text }).openapi("TermHighlight"))),
  metadata: optional(z.array(MetadataFieldValue)),
  dataset_structure: optional(z.array(
    z.object({
      name: text,
      internal_description: text,
      external_description: text,
      tags: optional(TagList),
    }).openapi("DataSetStructureHighlight"),
  )),
}).openapi("DataEntitySearchHighlight");

const highlightsSpec = operation({
  tag: entitySearch.tag,
  access: "signed-in",
  id: "highlightDataEntity",
  method: "get",
  path: `${entitySearch.path}/{search_id}/data_entities/{data_entity_id}/highlights`,
  summary: "Where a search finds its words in an entity, as HTML",
  params: z.object({ search_id: searchId, data_entity_id: idParam("data_entity_id") }),
  responses: { 200: { description: "The texts with a match", schema: DataEntitySearchHighlight } },
});

/** The operations of the generic search over entities. */
export function searchRoutes(context: Context): Route[] {
  return [
    ...familyRoutes(context, entitySearch),
    serve(highlightsSpec, async ({ params }) => {
      return ok(await highlights(context, params.search_id, params.data_entity_id));
    }),
  ];
}
