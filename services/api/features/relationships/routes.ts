import { z } from "@hono/zod-openapi";
import { requiredEnumQuery, searchQuery } from "#contract/catalogue/inputs.ts";
import {
  DataEntityRelationshipDetails,
  DataEntityRelationshipDetailsList,
  DataEntityRelationshipList,
} from "#contract/catalogue/relationships.ts";
import { idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/relationships/service.ts";

const common = {
  method: "get" as const,
  document: "platform" as const,
  access: "signed-in" as const,
};
const type = requiredEnumQuery("type", ["ERD", "GRAPH", "ALL"]);
const relationship = z.object({ relationship_id: idParam("relationship_id") });
const details = {
  200: { description: "The relationship", schema: DataEntityRelationshipDetails },
};

const listSpec = operation({
  ...common,
  id: "getRelationships",
  path: "/api/relationships",
  tag: "relationship",
  summary: "List relationships; deleted, hollow and excluded ones are hidden",
  query: z.object({
    ...pageQuery,
    type,
    query: searchQuery("query", "A part of the relationship's own name, in any case"),
  }),
  responses: { 200: { description: "One page", schema: DataEntityRelationshipList } },
});

const erdSpec = operation({
  ...common,
  id: "getERDRelationshipById",
  path: "/api/relationships/erd/{relationship_id}",
  tag: "relationship",
  summary: "An entity relationship, by the id of its data entity",
  params: relationship,
  responses: details,
  errors: [404],
});

const graphSpec = operation({
  ...common,
  id: "getGraphRelationshipById",
  path: "/api/relationships/graph/{relationship_id}",
  tag: "relationship",
  summary: "A graph relationship, by the id of its data entity",
  params: relationship,
  responses: details,
  errors: [404],
});

const datasetSpec = operation({
  ...common,
  id: "getDataSetRelationships",
  path: "/api/datasets/{data_entity_id}/relationships",
  tag: "dataSet",
  summary: "Relationships with the dataset at either end",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ type }),
  responses: {
    200: { description: "All of them", schema: DataEntityRelationshipDetailsList },
  },
  errors: [404],
});

/** The operations that read relationships between datasets. */
export function relationshipRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async ({ query }) => okJson(await service.listRelationships(context, query))),
    serve(
      erdSpec,
      async ({ params }) =>
        okJson(await service.describeRelationship(context, params.relationship_id, "ERD")),
    ),
    serve(
      graphSpec,
      async ({ params }) =>
        okJson(await service.describeRelationship(context, params.relationship_id, "GRAPH")),
    ),
    serve(
      datasetSpec,
      async ({ params, query }) =>
        okJson(await service.relationshipsOfDataset(context, params.data_entity_id, query.type)),
    ),
  ];
}
