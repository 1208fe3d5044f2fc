import type { ResourceRef } from "#platform/operations/declare.ts";

/** The data entity that the path names. */
export function entityOfPath(
  { params }: { params: { data_entity_id: number } },
): ResourceRef {
  return { kind: "data_entity", id: params.data_entity_id };
}

/** The dataset field that the path names. */
export function fieldOfPath(
  { params }: { params: { dataset_field_id: number } },
): ResourceRef {
  return { kind: "dataset_field", id: params.dataset_field_id };
}

/** The term that the path names. */
export function termOfPath({ params }: { params: { term_id: number } }): ResourceRef {
  return { kind: "term", id: params.term_id };
}

/** The query example that the path names. */
export function queryExampleOfPath(
  { params }: { params: { example_id: number } },
): ResourceRef {
  return { kind: "query_example", id: params.example_id };
}
