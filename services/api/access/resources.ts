import type { ResourceRef } from "#platform/operations/declare.ts";

/** The resource that the path names by a parameter. */
function ofPath<N extends string>(kind: ResourceRef["kind"], name: N) {
  // lookup-ok -- the name is one of those below
  return ({ params }: { params: Record<N, number> }): ResourceRef => ({ kind, id: params[name] });
}

export const entityOfPath = ofPath("data_entity", "data_entity_id");
export const fieldOfPath = ofPath("dataset_field", "dataset_field_id");
export const termOfPath = ofPath("term", "term_id");
export const queryExampleOfPath = ofPath("query_example", "example_id");
