import { z } from "@hono/zod-openapi";
import { DataSourceSafe, optional, pageOf } from "#contract/catalogue/common.ts";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { OwnershipList } from "#contract/catalogue/people.ts";
import { Id, PageInfo } from "#contract/http.ts";

export const DataEntityRelationshipType = z.enum(["ENTITY_RELATIONSHIP", "GRAPH_RELATIONSHIP"])
  .openapi("DataEntityRelationshipType");

/** Field ids are null when the field is not in the catalogue. */
export const ERDRelationshipPairs = z.object({
  source_dataset_field_id: optional(Id),
  source_dataset_field_catrn: z.string(),
  target_dataset_field_id: optional(Id),
  target_dataset_field_catrn: z.string(),
}).openapi("ERDRelationshipPairs");
export const ERDRelationshipDetails = z.object({
  erd_relationship_id: optional(Id),
  fields_pairs: z.array(ERDRelationshipPairs),
  is_identifying: optional(z.boolean()),
  cardinality: optional(z.string()),
}).openapi("ERDRelationshipDetails");

/** A value that is not a string is given as its JSON text. */
export const GraphRelationshipAttributes = z.object({
  name: optional(z.string()),
  value: z.string(),
}).openapi("GraphRelationshipAttributes");
export const GraphRelationshipDetails = z.object({
  graph_relationship_id: optional(Id),
  is_directed: optional(z.boolean()),
  attributes: optional(z.array(GraphRelationshipAttributes)),
}).openapi("GraphRelationshipDetails");

/** `id` is the id of the data entity that represents the relationship. */
export const DataEntityRelationship = z.object({
  id: Id,
  name: z.string(),
  catrn: z.string(),
  source_data_entity: DataEntityRef,
  target_data_entity: DataEntityRef,
  data_source: DataSourceSafe,
  type: DataEntityRelationshipType,
}).openapi("DataEntityRelationship");
export const DataEntityRelationshipList = pageOf(
  "DataEntityRelationshipList",
  DataEntityRelationship,
);

/** Exactly one of the two kinds of details is given; `ownership`: who owns the relationship. */
export const DataEntityRelationshipDetails = DataEntityRelationship.extend({
  erd_relationship: optional(ERDRelationshipDetails),
  graph_relationship: optional(GraphRelationshipDetails),
  ownership: OwnershipList,
}).openapi("DataEntityRelationshipDetails");
export const DataEntityRelationshipDetailsList = z.object({
  items: z.array(DataEntityRelationshipDetails),
  page_info: PageInfo,
}).openapi("DataEntityRelationshipDetailsList");
