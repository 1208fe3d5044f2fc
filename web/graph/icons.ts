import type { LineageNode } from "#web/graph/model.ts";

/**
 * Outlines of icons on a field of 24 × 24, drawn as lines of width 2. They are those of Lucide (ISC licence), as path
 * data because a canvas and an SVG file need the same ones that the rest of the interface shows as components.
 */
export const iconPaths = {
  table:
    "M12 3v18M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2zM3 9h18M3 15h18",
  file:
    "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5",
  layers:
    "M12.83 2.18a2 2 0 0 0-1.66 0L2.6 6.08a1 1 0 0 0 0 1.83l8.58 3.91a2 2 0 0 0 1.66 0l8.58-3.9a1 1 0 0 0 0-1.83zM2 12a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 12M2 17a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 17",
  topic:
    "M16.247 7.761a6 6 0 0 1 0 8.478M19.075 4.933a10 10 0 0 1 0 14.134M4.925 19.067a10 10 0 0 1 0-14.134M7.753 16.239a6 6 0 0 1 0-8.478M10 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
  job:
    "M11 10.27 7 3.34M11 13.73l-4 6.93M12 22v-2M12 2v2M14 12h8M17 20.66l-1-1.73M17 3.34l-1 1.73M2 12h2M20.66 17l-1.73-1M20.66 7l-1.73 1M3.34 17l1.73-1M3.34 7l1.73 1M10 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M4 12a8 8 0 1 0 16 0a8 8 0 1 0 -16 0",
  experiment:
    "M14 2v6a2 2 0 0 0 .245.96l5.51 10.08A2 2 0 0 1 18 22H6a2 2 0 0 1-1.755-2.96l5.51-10.08A2 2 0 0 0 10 8V2M6.453 15h11.094M8.5 2h7",
  model:
    "M12 13h4M12 18h6a2 2 0 012 2v1M12 8h8M12 9a4.17 4.17 0 01-3 4M16 8V5a2 2 0 012-2M6 18a4 4 0 01-2-7.465M6.004 5.125a4 4 0 00-2.526 5.77M6.294 6.294A3 3 0 1112 5v13a4 4 0 11-7.967-.518M15.5 13a0.5 0.5 0 1 0 1 0a0.5 0.5 0 1 0 -1 0M17.5 3a0.5 0.5 0 1 0 1 0a0.5 0.5 0 1 0 -1 0M19.5 21a0.5 0.5 0 1 0 1 0a0.5 0.5 0 1 0 -1 0M19.5 8a0.5 0.5 0 1 0 1 0a0.5 0.5 0 1 0 -1 0",
  dashboard:
    "M4 3h5a1 1 0 0 1 1 1v7a1 1 0 0 1 -1 1h-5a1 1 0 0 1 -1 -1v-7a1 1 0 0 1 1 -1zM15 3h5a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-5a1 1 0 0 1 -1 -1v-3a1 1 0 0 1 1 -1zM15 12h5a1 1 0 0 1 1 1v7a1 1 0 0 1 -1 1h-5a1 1 0 0 1 -1 -1v-7a1 1 0 0 1 1 -1zM4 16h5a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-5a1 1 0 0 1 -1 -1v-3a1 1 0 0 1 1 -1z",
  artifact:
    "M21 8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73l7 4a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16ZM3.3 7l8.7 5 8.7-5M12 22V12",
  view:
    "M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
  run: "M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z",
  service:
    "M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2zM4 14h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2zM6 6L6.01 6M6 18L6.01 18",
  call:
    "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20",
  workflow:
    "M5 3h4a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-4a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2zM7 11v4a2 2 0 0 0 2 2h4M15 13h4a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-4a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2z",
  graph:
    "M10.586 5.414l-5.172 5.172M18.586 13.414l-5.172 5.172M6 12h12M10 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M10 4a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M18 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M2 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
  database: "M3 5a9 3 0 1 0 18 0a9 3 0 1 0 -18 0M3 5V19A9 3 0 0 0 21 19V5M3 12A9 3 0 0 0 21 12",
  domain:
    "M20 10a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1h-2.5a1 1 0 0 1-.8-.4l-.9-1.2A1 1 0 0 0 15 3h-2a1 1 0 0 0-1 1v5a1 1 0 0 0 1 1ZM20 21a1 1 0 0 0 1-1v-3a1 1 0 0 0-1-1h-2.9a1 1 0 0 1-.88-.55l-.42-.85a1 1 0 0 0-.92-.6H13a1 1 0 0 0-1 1v5a1 1 0 0 0 1 1ZM3 5a2 2 0 0 0 2 2h3M3 3v13a2 2 0 0 0 2 2h3",
  vectors:
    "M2.97 12.92A2 2 0 0 0 2 14.63v3.24a2 2 0 0 0 .97 1.71l3 1.8a2 2 0 0 0 2.06 0L12 19v-5.5l-5-3-4.03 2.42ZM7 16.5l-4.74-2.85M7 16.5l5-3M7 16.5v5.17M12 13.5V19l3.97 2.38a2 2 0 0 0 2.06 0l3-1.8a2 2 0 0 0 .97-1.71v-3.24a2 2 0 0 0-.97-1.71L17 10.5l-5 3ZM17 16.5l-5-3M17 16.5l4.74-2.85M17 16.5v5.17M7.97 4.42A2 2 0 0 0 7 6.13v4.37l5 3 5-3V6.13a2 2 0 0 0-.97-1.71l-3-1.8a2 2 0 0 0-2.06 0l-3 1.8ZM12 8 7.26 5.15M12 8l4.74-2.85M12 13.5V8",
  lookup:
    "M12 5v16M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z",
  relationship:
    "M15 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M3 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M15 19a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M8.59 13.51L15.42 17.49M15.41 6.51L8.59 10.49",
  test: "M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16",
  input: "M10 17l5-5-5-5M15 12H3M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4",
  unknown: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5M12 17h.01",
  alert:
    "M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01",
  belowAlert: "M12 4 L22 20 H2 z",
  hollow:
    "M10.1 2.182a10 10 0 0 1 3.8 0M13.9 21.818a10 10 0 0 1-3.8 0M17.609 3.721a10 10 0 0 1 2.69 2.7M2.182 13.9a10 10 0 0 1 0-3.8M20.279 17.609a10 10 0 0 1-2.7 2.69M21.818 10.1a10 10 0 0 1 0 3.8M3.721 6.391a10 10 0 0 1 2.7-2.69M6.391 20.279a10 10 0 0 1-2.69-2.7",
  came: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M8 12h8M12 8v8",
  left: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M8 12h8",
  stale: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 6v6l4 2",
  deleted:
    "M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2",
} as const;
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
