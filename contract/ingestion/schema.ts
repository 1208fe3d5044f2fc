import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import {
  cardinalities,
  columnEdgeKinds,
  type EntityClass,
  type EntityType,
  entityTypeNames,
  entityTypes,
  lookupCatrns,
  runStatuses,
} from "#contract/entities.ts";
import { givenText, maxName } from "#contract/text.ts";
import { baseObject, DataSet } from "./fields.ts";
import {
  maxColumnBytes,
  maxColumnEdges,
  maxEdgeDescription,
  maxEdgeSubtype,
  maxItems,
  maxMapMembers,
  maxMarks,
  maxNamed,
  maxOwners,
} from "./limits.ts";
import { Catrn, fitsBytes, FreeMap, Instant } from "./values.ts";

/** The parts of an item, each with the class that it gives to the entity. */
export const classOfSection = {
  dataset: "DATA_SET",
  data_transformer: "DATA_TRANSFORMER",
  data_transformer_run: "DATA_TRANSFORMER_RUN",
  data_quality_test: "DATA_QUALITY_TEST",
  data_quality_test_run: "DATA_QUALITY_TEST_RUN",
  data_consumer: "DATA_CONSUMER",
  data_input: "DATA_INPUT",
  data_entity_group: "DATA_ENTITY_GROUP",
  data_relationship: "DATA_RELATIONSHIP",
} as const satisfies Record<string, EntityClass>;
export type SectionName = keyof typeof classOfSection;
export const sectionNames = Object.keys(classOfSection) as SectionName[];

/** Types that collectors may post. */
export const ingestibleTypes = entityTypeNames.filter((name) => entityTypes[name].ingestible) as [
  EntityType,
  ...EntityType[],
];

const catrns = boundedArray(Catrn, maxNamed);

/** The name of a column within its dataset, that of a nested one with the names above it: `address.city`. */
const ColumnPath = z.string().min(1, { error: "must not be empty" }).refine(
  (text) => fitsBytes(text, maxColumnBytes),
  { error: `must be at most ${maxColumnBytes} bytes of UTF-8` },
).openapi({ type: "string", minLength: 1, maxLength: maxColumnBytes });

/** A column; without `field` the dataset as a whole. Letter case of `field` makes no difference. */
const columnOrDataset = { dataset_catrn: Catrn, field: ColumnPath.optional() };

const shortText = (max: number) =>
  z.string().max(max, { error: `must be at most ${max} long` }).optional();

const ColumnLineageSource = z.object({
  ...columnOrDataset,
  type: z.enum(columnEdgeKinds).optional(),
  subtype: shortText(maxEdgeSubtype),
  masking: z.boolean().optional(),
  description: shortText(maxEdgeDescription),
}).openapi("ColumnLineageSource");

const ColumnLineageEntry = z.object({
  target: z.object(columnOrDataset).openapi("ColumnLineageTarget"),
  sources: boundedArray(ColumnLineageSource, maxColumnEdges),
}).openapi("ColumnLineageEntry");

/**
 * From which columns the columns of an item's outputs are made, at most `maxColumnEdges` sources in all.
 * Replaces what the item declared before; absent leaves it as it is, `[]` takes it away.
 */
export const ColumnLineage = boundedArray(ColumnLineageEntry, maxColumnEdges)
  .superRefine((entries, context) => {
    let edges = 0;
    for (const [i, { sources }] of entries.entries()) {
      edges += sources.length;
      if (edges <= maxColumnEdges) continue;
      const message =
        `must hold at most ${maxColumnEdges} sources, with those of the entries before`;
      return context.addIssue({ code: "custom", path: [i, "sources"], message });
    }
  });
export type ColumnLineage = z.output<typeof ColumnLineage>;

/** `sql` and `source_code_url` are stored as attributes; `column_lineage` is stored as edges. */
const DataTransformer = z.object({
  inputs: catrns,
  outputs: catrns,
  source_code_url: z.string().optional(),
  sql: z.string().optional(),
  column_lineage: ColumnLineage.optional(),
}).openapi("DataTransformer");

const runMembers = {
  start_time: Instant,
  end_time: Instant.optional(),
  status_reason: z.string().optional(),
  status: z.enum(runStatuses),
};
const DataTransformerRun = z.object({ transformer_catrn: Catrn, ...runMembers })
  .openapi("DataTransformerRun");
const DataQualityTestRun = z.object({ data_quality_test_catrn: Catrn, ...runMembers })
  .openapi("DataQualityTestRun");

const expectationCategories = [
  "ASSERTION",
  "VOLUME_ANOMALY",
  "FRESHNESS_ANOMALY",
  "COLUMN_VALUES_ANOMALY",
  "SCHEMA_CHANGE",
] as const;

/** Keys beyond these two are accepted; all are stored as a map of texts. */
const Expectation = z.looseObject({
  type: z.string().optional(),
  category: z.enum(expectationCategories).optional(),
}).refine((map) => Object.keys(map).length <= maxMapMembers, {
  error: `must hold at most ${maxMapMembers} members`,
}).openapi("Expectation", { maxProperties: maxMapMembers });

const DataQualityTest = z.object({
  suite_name: z.string(),
  suite_url: z.string().optional(),
  dataset_list: catrns,
  expectation: Expectation,
  linked_url_list: boundedArray(
    z.object({ name: z.string(), url: z.string() }).openapi("LinkedUrl"),
    maxMarks,
  ).optional(),
}).openapi("DataQualityTest");

const DataConsumer = z.object({ inputs: catrns.optional() }).openapi("DataConsumer");
const DataInput = z.object({ outputs: catrns.optional() }).openapi("DataInput");
const DataEntityGroup = z.object({
  entities_list: catrns,
  group_catrn: Catrn.optional(),
}).openapi("DataEntityGroup");

const ERDRelationship = z.object({
  relationship_entity_name: z.literal("ERDRelationship"),
  source_dataset_field_catrns_list: catrns,
  target_dataset_field_catrns_list: catrns,
  is_identifying: z.boolean().optional(),
  cardinality: z.enum(cardinalities).optional(),
}).openapi("ERDRelationship");

const GraphRelationship = z.object({
  relationship_entity_name: z.literal("GraphRelationship"),
  is_directed: z.boolean().optional(),
  attributes: FreeMap.optional(),
}).openapi("GraphRelationship");

/** The field lists of an ERD pair correspond by index; the kind must match the details. */
const DataRelationship = z.object({
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
    const field = "target_dataset_field_catrns_list";
    issue(field, "must be as long as source_dataset_field_catrns_list");
  }
}).openapi("DataRelationship");

/** An owner and its title, both by name; a blank title means none. */
const IngestedOwner = z.object({
  name: givenText({ min: 1, max: maxName }),
  title: givenText({ max: maxName }).optional(),
}).openapi("IngestedOwner");

/**
 * Owners of the entity of an item, as its source reports them. Replaces the previous list; absent leaves it unchanged, `[]`
 * takes it away. Of one name the first counts.
 */
export const IngestedOwners = boundedArray(IngestedOwner, maxOwners);
export type IngestedOwners = z.output<typeof IngestedOwners>;

const itemShape = z.object({
  ...baseObject,
  type: z.enum(ingestibleTypes),
  created_at: Instant.optional(),
  updated_at: Instant.optional(),
  owners: IngestedOwners.optional(),
  dataset: DataSet.optional(),
  data_transformer: DataTransformer.optional(),
  data_transformer_run: DataTransformerRun.optional(),
  data_quality_test: DataQualityTest.optional(),
  data_quality_test_run: DataQualityTestRun.optional(),
  data_consumer: DataConsumer.optional(),
  data_input: DataInput.optional(),
  data_entity_group: DataEntityGroup.optional(),
  data_relationship: DataRelationship.optional(),
});

/** Names of the parts that an item carries, in the order of `classOfSection`. */
export function presentSections(item: Partial<Record<SectionName, unknown>>): SectionName[] {
  return sectionNames.filter((name) => item[name] !== undefined);
}

/** Classes of an item: given by the parts it carries, never by its type. */
export function classesOf(item: Partial<Record<SectionName, unknown>>): EntityClass[] {
  return presentSections(item).map((name) => classOfSection[name]);
}

/** An item of this type should have at least one of these sections. */
function expectedSections(type: EntityType): SectionName[] {
  const allowed: readonly EntityClass[] = entityTypes[type].classes;
  return sectionNames.filter((name) => allowed.includes(classOfSection[name]));
}

/** One entity or run of a batch. Explicit nulls count as absent. */
export const DataEntity = itemShape.superRefine((item, context) => {
  if (item.catrn.startsWith(lookupCatrns)) {
    const message = "must not be that of a lookup table, which is made in the catalogue";
    context.addIssue({ code: "custom", path: ["catrn"], message });
  }
  if (presentSections(item).length === 0) {
    const expected = expectedSections(item.type).join(" or ");
    const message = `with type ${item.type} must carry ${expected}`;
    context.addIssue({ code: "custom", message });
  }
  if (item.data_transformer_run && item.data_quality_test_run) {
    const message = "must carry one of data_transformer_run and data_quality_test_run, not both";
    context.addIssue({ code: "custom", message });
  }
}).openapi("DataEntity");
export type DataEntity = z.output<typeof DataEntity>;

const runSections: SectionName[] = ["data_transformer_run", "data_quality_test_run"];

/** Whether an item is stored as a run: it carries a run, and nothing that would make it an entity. */
export function isRun(item: DataEntity): boolean {
  const sections = presentSections(item);
  const runs = sections.filter((name) => runSections.includes(name));
  return runs.length > 0 && (item.type === "JOB_RUN" || runs.length === sections.length);
}

/** Whether an item carries at least one part that its type should have. */
export function fitsType(item: DataEntity): boolean {
  const expected = expectedSections(item.type);
  return presentSections(item).some((name) => expected.includes(name));
}

/** The remark for an item that does not fit its type; it is accepted, its parts decide its classes. */
export function typeMismatchMessage(item: DataEntity): string {
  const given = presentSections(item).join(" and ");
  const expected = expectedSections(item.type).join(" or ");
  return `${item.type} was taken with ${given}, where ${expected} is expected`;
}

/** The message for a batch without items. */
export const noItems = "must hold at least one item";

/** Body of `POST /ingestion/entities` and value of a record of `ingestion.batches`. */
export const DataEntityList = z.object({
  data_source_catrn: Catrn,
  items: boundedArray(DataEntity, maxItems).min(1, { error: noItems }),
}).openapi("DataEntityList");
export type DataEntityList = z.output<typeof DataEntityList>;
