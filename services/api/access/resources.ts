import type { ResourceRef } from "#platform/operations/declare.ts";

/** The data entity that the path names. */
export function entityOfPath(
  { params }: { params: { data_entity_id: number } },
): ResourceRef {
  return { kind: "data_entity", id: params.data_entity_id };
}
