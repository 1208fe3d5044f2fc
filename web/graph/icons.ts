import type { LineageNode } from "#web/graph/model.ts";
import type { iconPaths } from "#web/graph/icon-paths.ts";

export type IconKey = keyof typeof iconPaths;

const ofType = new Map<string, IconKey>(Object.entries({
  TABLE: "table",
  FILE: "file",
  FEATURE_GROUP: "layers",
  KAFKA_TOPIC: "topic",
  JOB: "job",
  ML_EXPERIMENT: "experiment",
  ML_MODEL_TRAINING: "model",
  ML_MODEL_INSTANCE: "model",
  ML_MODEL_ARTIFACT: "artifact",
  ML_MODEL: "model",
  DASHBOARD: "dashboard",
  VIEW: "view",
  JOB_RUN: "run",
  MICROSERVICE: "service",
  API_CALL: "call",
  DAG: "workflow",
  GRAPH_NODE: "graph",
  DATABASE_SERVICE: "database",
  API_SERVICE: "call",
  KAFKA_SERVICE: "topic",
  DOMAIN: "domain",
  VECTOR_STORE: "vectors",
  LOOKUP_TABLE: "lookup",
  ENTITY_RELATIONSHIP: "relationship",
  GRAPH_RELATIONSHIP: "relationship",
}));

/** Classes in the order in which they decide the look of an entity that has several. */
export const classKeys = [
  "DATA_ENTITY_GROUP",
  "DATA_SET",
  "DATA_TRANSFORMER",
  "DATA_CONSUMER",
  "DATA_INPUT",
  "DATA_QUALITY_TEST",
  "DATA_TRANSFORMER_RUN",
  "DATA_QUALITY_TEST_RUN",
  "DATA_RELATIONSHIP",
  "UNKNOWN",
] as const;
export type ClassKey = (typeof classKeys)[number];

const ofClass = new Map<ClassKey, IconKey>([
  ["DATA_ENTITY_GROUP", "domain"],
  ["DATA_TRANSFORMER", "job"],
  ["DATA_SET", "table"],
  ["DATA_CONSUMER", "dashboard"],
  ["DATA_INPUT", "input"],
  ["DATA_QUALITY_TEST", "test"],
  ["DATA_TRANSFORMER_RUN", "run"],
  ["DATA_QUALITY_TEST_RUN", "run"],
  ["DATA_RELATIONSHIP", "relationship"],
]);

/** The class that decides the look; `UNKNOWN` when none is known, or only ones of a newer server. */
export function classOf(node: Pick<LineageNode, "classes">): ClassKey {
  return classKeys.find((key) => node.classes.includes(key)) ?? "UNKNOWN";
}

export function iconOf(node: Pick<LineageNode, "classes" | "type">): IconKey {
  return ofType.get(node.type ?? "") ?? ofClass.get(classOf(node)) ?? "unknown";
}
