import { z } from "@hono/zod-openapi";
import {
  DataSourceSafe,
  Long,
  MetadataFieldValue,
  nullable,
  optional,
  pageOf,
  PayloadInteger,
  TagList,
} from "#contract/catalogue/common.ts";
import { DataSetVersion } from "#contract/catalogue/dataset.ts";
import {
  DataEntityClass,
  DataEntityRef,
  DataEntityRefList,
  DataEntityStatus,
  DataEntityType,
  DataEntityTypeList,
} from "#contract/catalogue/entity-ref.ts";
import { OwnershipList } from "#contract/catalogue/people.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";
import { runStatuses } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** The members that every entity has. A manually created group has no data source. */
export const DataEntityBaseObject = z.object({
  id: Id,
  catrn: z.string(),
  external_name: z.string(),
  internal_name: optional(z.string()),
  ownership: optional(OwnershipList),
  data_source: nullable(DataSourceSafe),
  lookup_table_id: optional(Id),
  entity_classes: optional(z.array(DataEntityClass)),
  type: DataEntityType,
  data_entity_groups: optional(DataEntityRefList),
  status: DataEntityStatus,
  source_created_at: optional(Timestamp),
  source_updated_at: optional(Timestamp),
  last_ingested_at: optional(Timestamp),
  view_count: Long,
  is_stale: z.boolean(),
}).openapi("DataEntityBaseObject");

const DataSetStats = z.object({
  rows_count: PayloadInteger,
  fields_count: Long,
  consumers_count: Long,
})
  .openapi("DataSetStats");
/** How often a dataset was read in its source, counted between runs of a connection: at least this often. */
const DatasetUsage = z.object({
  reads: Long,
  since: Timestamp.openapi({ description: "When the first of these reads may have happened" }),
  until: Timestamp,
  roles: z.array(z.object({ name: z.string(), reads: Long })).openapi({
    description: "Roles that read most, where the connection stores their names",
  }),
}).openapi("DatasetUsage");
/** An asset that is gone from its source, and one with the same columns that appeared in the same run of a connection. */
const RenameOffer = z.object({
  id: Id,
  run_id: Id,
  former: DataEntityRef,
  successor: DataEntityRef,
  columns: Long,
  found_at: Timestamp,
}).openapi("RenameOffer");
export const RenameOfferList = pageOf("RenameOfferList", RenameOffer);
const LinkedUrl = z.object({ name: z.string(), url: z.string() }).openapi("LinkedUrl");
export const DataQualityTestSeverity = z.enum(["MINOR", "MAJOR", "CRITICAL"])
  .openapi("DataQualityTestSeverity");
/** `type`, `category`, and any other key that the test declared. */
const DataQualityTestExpectation = z.record(z.string(), z.string().nullable())
  .openapi("DataQualityTestExpectation");

/** Names of the members that hold lists of references. */
export const referenceLists = [
  "source_list",
  "target_list",
  "input_list",
  "output_list",
  "datasets_list",
  "entities",
] as const;
export type ReferenceList = (typeof referenceLists)[number];

export const DataEntityRunStatus = z.enum(runStatuses).openapi("DataEntityRunStatus");
/** `data_entity_id` is the transformer or test that was run. */
const DataEntityRun = z.object({
  id: Id,
  catrn: z.string(),
  name: z.string(),
  created_at: optional(Timestamp),
  updated_at: optional(Timestamp),
  data_entity_id: optional(Id),
  start_time: optional(Timestamp),
  end_time: optional(Timestamp),
  status_reason: optional(z.string()),
  status: DataEntityRunStatus,
  metadata: optional(z.record(z.string(), z.string())).openapi({
    description: "Further metadata from its source; null when there is none",
  }),
}).openapi("DataEntityRun");
export const DataEntityRunList = pageOf("DataEntityRunList", DataEntityRun);

/**
 * A list item: the base, plus the members of all classes; those of classes that the entity lacks are
 * null. Reference lists hold at most 100 entries here and 1,000 in details, in declared order. The
 * total next to each counts all (`items_count` for `entities`); `…/references/{list}` returns the
 * rest.
 */
export const DataEntity = DataEntityBaseObject.extend({
  // DATA_SET
  stats: optional(DataSetStats),
  // DATA_TRANSFORMER
  source_list: optional(DataEntityRefList),
  source_list_total: optional(Long),
  target_list: optional(DataEntityRefList),
  target_list_total: optional(Long),
  // DATA_INPUT, DATA_CONSUMER
  output_list: optional(DataEntityRefList),
  output_list_total: optional(Long),
  input_list: optional(DataEntityRefList),
  input_list_total: optional(Long),
  // DATA_QUALITY_TEST
  suite_name: optional(z.string()),
  suite_url: optional(z.string()),
  expectation: optional(DataQualityTestExpectation),
  severity: optional(DataQualityTestSeverity),
  datasets_list: optional(DataEntityRefList),
  datasets_list_total: optional(Long),
  linked_url_list: optional(z.array(LinkedUrl)),
  latest_run: optional(DataEntityRun),
  // DATA_ENTITY_GROUP
  items_count: optional(Long),
  entities: optional(DataEntityRefList),
}).openapi("DataEntity");
export const DataEntityList = pageOf("DataEntityList", DataEntity);

/** Field ids are null when the field is not in the catalogue. */
const ERDRelationshipPairs = z.object({
  source_dataset_field_id: optional(Id),
  source_dataset_field_catrn: z.string(),
  target_dataset_field_id: optional(Id),
  target_dataset_field_catrn: z.string(),
}).openapi("ERDRelationshipPairs");
const ERDRelationshipDetails = z.object({
  erd_relationship_id: optional(Id),
  fields_pairs: z.array(ERDRelationshipPairs),
  is_identifying: optional(z.boolean()),
  cardinality: optional(z.string()),
}).openapi("ERDRelationshipDetails");

/** A value that is not a string is given as its JSON text. */
const GraphRelationshipAttributes = z.object({
  name: optional(z.string()),
  value: z.string(),
}).openapi("GraphRelationshipAttributes");
const GraphRelationshipDetails = z.object({
  graph_relationship_id: optional(Id),
  is_directed: optional(z.boolean()),
  attributes: optional(z.array(GraphRelationshipAttributes)),
}).openapi("GraphRelationshipDetails");

export const DataEntityDetails = DataEntity.extend({
  metadata_field_values: z.array(MetadataFieldValue),
  external_description: z.string().nullable(),
  internal_description: z.string().nullable(),
  terms: optional(z.array(LinkedTerm)),
  tags: optional(TagList),
  manually_created: optional(z.boolean()),
  // DATA_SET: the newest 1,000 of `version_list_total`; `…/versions` returns the rest
  version_list: optional(z.array(DataSetVersion)),
  version_list_total: optional(Long),
  // DATA_SET: null where its source counts no reads
  usage: optional(DatasetUsage),
  renames: z.array(RenameOffer).openapi({ description: "Renames that somebody may confirm" }),
  // DATA_ENTITY_GROUP: whether any member is a group itself
  has_children: optional(z.boolean()),
  // DATA_RELATIONSHIP
  source_data_entity: optional(DataEntityRef),
  target_data_entity: optional(DataEntityRef),
  erd_relationship: optional(ERDRelationshipDetails),
  graph_relationship: optional(GraphRelationshipDetails),
}).openapi("DataEntityDetails");

const DataEntityTypeUsageInfo = z.object({ entity_type: DataEntityType, total_count: Long })
  .openapi("DataEntityTypeUsageInfo");
const DataEntityClassUsageInfo = z.object({
  entity_class: DataEntityClass,
  total_count: Long,
  data_entity_types_info: z.array(DataEntityTypeUsageInfo),
}).openapi("DataEntityClassUsageInfo");
export const DataEntityUsageInfo = z.object({
  total_count: Long,
  unfilled_count: Long,
  data_entity_classes_info: z.array(DataEntityClassUsageInfo),
}).openapi("DataEntityUsageInfo");
/** Of the datasets that a search finds without words: how many there are, and how many of them lack what. */
export const CatalogueCoverage = z.object({
  datasets: Long,
  without_owner: Long,
  without_description: Long,
  without_tests: Long,
}).openapi("CatalogueCoverage");
export const DataEntityClassAndTypeDictionary = z.object({
  entity_classes: z.array(DataEntityClass),
  types: DataEntityTypeList,
}).openapi("DataEntityClassAndTypeDictionary");

/** Maximum number of entities that are read by their ids at once. */
export const maxBriefs = 500;

/** What is shown of an entity at a glance; `description` is the beginning of people's or else of the collector's. */
const DataEntityBrief = DataEntityRef.extend({
  type: optional(DataEntityType),
  data_source: nullable(DataSourceSafe),
  ownership: OwnershipList,
  description: optional(z.string()),
  last_ingested_at: optional(Timestamp),
}).openapi("DataEntityBrief");

/** Those that were requested, in that order, each once; `missing` are the ids of those that are not known. */
export const DataEntityBriefList = z.object({
  items: z.array(DataEntityBrief),
  missing: z.array(Long),
}).openapi("DataEntityBriefList");

const DataEntityRelationshipType = z.enum(["ENTITY_RELATIONSHIP", "GRAPH_RELATIONSHIP"])
  .openapi("DataEntityRelationshipType");

/** `id` is the id of the data entity that represents the relationship. */
const DataEntityRelationship = z.object({
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
export const DataEntityRelationshipDetailsList = pageOf(
  "DataEntityRelationshipDetailsList",
  DataEntityRelationshipDetails,
);
