/** Classes of data entities: the role of an entity in the data flow. Ids are part of the API. */
export const entityClasses = {
  DATA_SET: 1,
  DATA_TRANSFORMER: 2,
  DATA_TRANSFORMER_RUN: 3,
  DATA_QUALITY_TEST: 4,
  DATA_QUALITY_TEST_RUN: 5,
  DATA_CONSUMER: 6,
  DATA_INPUT: 7,
  DATA_ENTITY_GROUP: 8,
  DATA_RELATIONSHIP: 9,
} as const;
export type EntityClass = keyof typeof entityClasses;
export const entityClassNames = Object.keys(entityClasses) as [EntityClass, ...EntityClass[]];

interface TypeSpec {
  id: number;
  /** An item of this type should carry the part of at least one of these classes. */
  classes: EntityClass[];
  /** Whether collectors may post this type; the others are created by the service only. */
  ingestible: boolean;
}

const type = (id: number, classes: EntityClass[], ingestible = true): TypeSpec => ({
  id,
  classes,
  ingestible,
});

/** Types of data entities. Ids are part of the API. */
export const entityTypes = {
  TABLE: type(1, ["DATA_SET"]),
  FILE: type(2, ["DATA_SET"]),
  FEATURE_GROUP: type(3, ["DATA_SET"]),
  KAFKA_TOPIC: type(4, ["DATA_SET"]),
  JOB: type(5, ["DATA_TRANSFORMER", "DATA_QUALITY_TEST"]),
  ML_EXPERIMENT: type(6, ["DATA_ENTITY_GROUP"]),
  ML_MODEL_TRAINING: type(7, ["DATA_TRANSFORMER"]),
  ML_MODEL_INSTANCE: type(8, ["DATA_TRANSFORMER"], false),
  DASHBOARD: type(9, ["DATA_CONSUMER"]),
  ML_MODEL_ARTIFACT: type(10, ["DATA_CONSUMER"], false),
  VIEW: type(11, ["DATA_SET", "DATA_TRANSFORMER"]),
  JOB_RUN: type(12, ["DATA_TRANSFORMER_RUN", "DATA_QUALITY_TEST_RUN"]),
  MICROSERVICE: type(13, ["DATA_TRANSFORMER"]),
  API_CALL: type(16, ["DATA_INPUT"]),
  DAG: type(17, ["DATA_ENTITY_GROUP"]),
  GRAPH_NODE: type(18, ["DATA_SET"]),
  DATABASE_SERVICE: type(19, ["DATA_ENTITY_GROUP"]),
  API_SERVICE: type(20, ["DATA_ENTITY_GROUP"]),
  KAFKA_SERVICE: type(21, ["DATA_ENTITY_GROUP"]),
  DOMAIN: type(22, ["DATA_ENTITY_GROUP"], false),
  VECTOR_STORE: type(23, ["DATA_SET"]),
  LOOKUP_TABLE: type(24, ["DATA_SET"], false),
  ENTITY_RELATIONSHIP: type(25, ["DATA_RELATIONSHIP"]),
  GRAPH_RELATIONSHIP: type(26, ["DATA_RELATIONSHIP"]),
  ML_MODEL: type(27, ["DATA_ENTITY_GROUP"]),
} as const satisfies Record<string, TypeSpec>;
export type EntityType = keyof typeof entityTypes;
export const entityTypeNames = Object.keys(entityTypes) as [EntityType, ...EntityType[]];

/** Statuses of data entities, with their codes in column `data_entity.status`. */
export const entityStatuses = {
  UNASSIGNED: 1,
  DRAFT: 2,
  STABLE: 3,
  DEPRECATED: 4,
  DELETED: 5,
} as const;
export type EntityStatus = keyof typeof entityStatuses;
export const entityStatusNames = Object.keys(entityStatuses) as [EntityStatus, ...EntityStatus[]];

/** Statuses of runs of transformers and of tests. */
export const runStatuses = [
  "SUCCESS",
  "FAILED",
  "SKIPPED",
  "BROKEN",
  "ABORTED",
  "RUNNING",
  "UNKNOWN",
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Types of dataset fields, the same in payloads and answers. */
export const fieldTypes = [
  "TYPE_STRING",
  "TYPE_NUMBER",
  "TYPE_INTEGER",
  "TYPE_BOOLEAN",
  "TYPE_CHAR",
  "TYPE_DATETIME",
  "TYPE_TIME",
  "TYPE_STRUCT",
  "TYPE_BINARY",
  "TYPE_LIST",
  "TYPE_MAP",
  "TYPE_UNION",
  "TYPE_DURATION",
  "TYPE_REFERENCE",
  "TYPE_VECTOR",
  "TYPE_UNKNOWN",
] as const;

/** Kinds of column edges, in the order of their codes: the value comes from there, or it only has a say. */
export const columnEdgeKinds = ["DIRECT", "INDIRECT"] as const;

/** Where column edges come from, in the order of their codes. */
export const columnEdgeOrigins = ["DECLARED", "SQL"] as const;

/** How many target rows may belong to one source row of an ERD relationship. */
export const cardinalities = [
  "ONE_TO_EXACTLY_ONE",
  "ONE_TO_ZERO_OR_ONE",
  "ONE_TO_ONE_OR_MORE",
  "ONE_TO_ZERO_ONE_OR_MORE",
] as const;

/** Longest CATRN, in bytes of UTF-8. */
export const maxCatrnBytes = 1_000;

/** The beginning of the CATRNs of lookup tables, which are made here and never ingested. */
export const lookupCatrns = "//catalog/lookup_tables/";
