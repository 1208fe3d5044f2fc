import { sha256 } from "#kit/canonical.ts";
import type { PostedText } from "#platform/items.ts";
import type { ResolvedDatasets } from "#services/trace-gateway/datasets/resolve.ts";
import { datasetKey, type DatasetRef } from "#services/trace-gateway/datasets/templates.ts";
import { apiCatrn, callCatrn, type EdgeRow, type Subject, subjectCatrn } from "./subjects.ts";

/** An item of a batch, ready to be posted; the same content is always the same text. */
export interface ComposedEntity extends PostedText {
  subject: Subject;
  /** SHA-256 of `json`, hex. */
  hash: string;
  /** Of a service: it refers to datasets that the catalogue does not hold. */
  guessed?: boolean;
}

/** Everything that the entities of one subject are made of. */
export interface SubjectFacts {
  subject: Subject;
  /** What it calls and which data it touches. */
  edges: Omit<EdgeRow, "n">[];
  /** Operations that it serves. */
  operations: string[];
  version: string | null;
}

const schema = "https://tributary.example/schemas/traces.json";

/**
 * The entities of one subject, whole. A traced service that has any edge is a MICROSERVICE whose
 * inputs are what it calls, reads and consumes, its outputs what it serves, writes and produces. Each
 * operation that is called is an API_CALL, and all of one subject are an API_SERVICE.
 */
export function mapService(
  facts: SubjectFacts,
  datasets: ResolvedDatasets,
): ComposedEntity[] {
  const { subject, operations } = facts;
  const calls = operations.map((operation) => callOf(subject, operation));
  const entities = subject.kind === "service" && (facts.edges.length > 0 || calls.length > 0)
    ? [microservice(facts, datasets, calls.map((call) => call.catrn))]
    : [];
  if (calls.length === 0) return entities;
  return [...entities, ...calls, apiService(subject, calls.map((call) => call.catrn))];
}

function microservice(
  { subject, edges, version }: SubjectFacts,
  datasets: ResolvedDatasets,
  serves: string[],
): ComposedEntity {
  const inputs = new Set<string>();
  const outputs = new Set(serves);
  let guessed = false;
  for (const edge of edges) {
    if (edge.kind === "call") {
      if (edge.peer_kind && edge.peer_name !== null && edge.operation !== null) {
        const peer = { kind: edge.peer_kind, namespace: edge.peer_namespace, name: edge.peer_name };
        inputs.add(callCatrn(peer, edge.operation));
      }
      continue;
    }
    const key = datasetKey(datasetOf(edge));
    const dataset = datasets.catrns.get(key);
    if (datasets.guessed.has(key)) guessed = true;
    if (dataset) (edge.access === "write" ? outputs : inputs).add(dataset);
  }
  const composed = entity(subject, subjectCatrn(subject), {
    name: subject.name,
    type: "MICROSERVICE",
    metadata: metadata({ ...identity(subject), service_version: version }),
    data_transformer: { inputs: [...inputs].sort(), outputs: [...outputs].sort() },
  });
  return { ...composed, guessed };
}

function callOf(subject: Subject, operation: string): ComposedEntity {
  return entity(subject, callCatrn(subject, operation), {
    name: operation,
    type: "API_CALL",
    metadata: metadata({ ...identity(subject), operation }),
    data_input: { outputs: [] },
  });
}

function apiService(subject: Subject, calls: string[]): ComposedEntity {
  const composed = entity(subject, apiCatrn(subject), {
    name: `${subject.name} API`,
    type: "API_SERVICE",
    metadata: metadata(identity(subject)),
    data_entity_group: { entities_list: [...new Set(calls)].sort() },
  });
  return { ...composed, isGroup: true };
}

/** The table, collection, topic or bucket that an edge names. */
export function datasetOf(edge: Omit<EdgeRow, "n">): DatasetRef {
  return {
    kind: edge.kind === "topic" ? "topic" : "database",
    system: edge.system ?? "unknown",
    address: edge.address,
    database: edge.database,
    target: edge.target,
  };
}

function identity({ kind, namespace, name }: Subject): Record<string, string | null> {
  return kind === "host"
    ? { server_address: name }
    : { service_namespace: namespace, service_name: name };
}

function metadata(values: Record<string, string | null>) {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return [{ schema_url: schema, metadata: Object.fromEntries(given) }];
}

function entity(
  subject: Subject,
  catrn: string,
  item: Record<string, unknown>,
): ComposedEntity {
  const json = JSON.stringify({ catrn, ...item });
  return { catrn, subject, json, hash: sha256(json), isGroup: false };
}
