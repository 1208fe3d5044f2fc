import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { cardinalities, runStatuses } from "#contract/entities.ts";
import { ColumnLineage } from "./column-lineage.ts";
import { maxMapMembers, maxMarks, maxNamed } from "./limits.ts";
import { Catrn, FreeMap, Instant } from "./values.ts";

const catrns = boundedArray(Catrn, maxNamed);

/** `sql` and `source_code_url` are stored as attributes; `column_lineage` is stored as edges. */
export const DataTransformer = z.object({
  inputs: catrns,
  outputs: catrns,
  source_code_url: z.string().optional(),
  sql: z.string().optional(),
  column_lineage: ColumnLineage.optional(),
}).openapi("DataTransformer");

const run = {
  start_time: Instant,
  end_time: Instant.optional(),
  status_reason: z.string().optional(),
  status: z.enum(runStatuses),
};
export const DataTransformerRun = z.object({ transformer_catrn: Catrn, ...run })
  .openapi("DataTransformerRun");
export const DataQualityTestRun = z.object({ data_quality_test_catrn: Catrn, ...run })
  .openapi("DataQualityTestRun");

export const expectationCategories = [
  "ASSERTION",
  "VOLUME_ANOMALY",
  "FRESHNESS_ANOMALY",
  "COLUMN_VALUES_ANOMALY",
  "SCHEMA_CHANGE",
] as const;

/** Keys beyond these two are accepted; all are stored as a map of texts. */
export const Expectation = z.looseObject({
  type: z.string().optional(),
  category: z.enum(expectationCategories).optional(),
}).refine((map) => Object.keys(map).length <= maxMapMembers, {
  error: `must hold at most ${maxMapMembers} members`,
}).openapi("Expectation", { maxProperties: maxMapMembers });

export const DataQualityTest = z.object({
  suite_name: z.string(),
  suite_url: z.string().optional(),
  dataset_list: catrns,
  expectation: Expectation,
  linked_url_list: boundedArray(
    z.object({ name: z.string(), url: z.string() }).openapi("LinkedUrl"),
    maxMarks,
  ).optional(),
}).openapi("DataQualityTest");

export const DataConsumer = z.object({ inputs: catrns.optional() }).openapi("DataConsumer");
export const DataInput = z.object({ outputs: catrns.optional() }).openapi("DataInput");
export const DataEntityGroup = z.object({
  entities_list: catrns,
  group_catrn: Catrn.optional(),
}).openapi("DataEntityGroup");

export const ERDRelationship = z.object({
  relationship_entity_name: z.literal("ERDRelationship"),
  source_dataset_field_catrns_list: catrns,
  target_dataset_field_catrns_list: catrns,
  is_identifying: z.boolean().optional(),
  cardinality: z.enum(cardinalities).optional(),
}).openapi("ERDRelationship");

export const GraphRelationship = z.object({
  relationship_entity_name: z.literal("GraphRelationship"),
  is_directed: z.boolean().optional(),
  attributes: FreeMap.optional(),
}).openapi("GraphRelationship");

/** The field lists of an ERD pair correspond by index; the kind must match the details. */
export const DataRelationship = z.object({
  relationship_type: z.enum(["ERD", "GRAPH"]),
  source_dataset_catrn: Catrn,
  target_dataset_catrn: Catrn,
  details: z.discriminatedUnion("relationship_entity_name", [ERDRelationship, GraphRelationship]),
}).superRefine(({ relationship_type, details }, context) => {
  const expected = relationship_type === "ERD" ? "ERDRelationship" : "GraphRelationship";
  const issue = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: ["details", path], message });
  if (details.relationship_entity_name !== expected) {
    issue("relationship_entity_name", `must be ${expected} with type ${relationship_type}`);
  } else if (
    details.relationship_entity_name === "ERDRelationship" &&
    details.source_dataset_field_catrns_list.length !==
      details.target_dataset_field_catrns_list.length
  ) {
    issue(
      "target_dataset_field_catrns_list",
      "must be as long as source_dataset_field_catrns_list",
    );
  }
}).openapi("DataRelationship");
