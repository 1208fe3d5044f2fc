import type { DataEntity } from "#contract/ingestion/schema.ts";

/** A declared edge, by CATRN; its establisher is the entity that declares it. */
export interface DeclaredEdge {
  parent: string;
  child: string;
}

/**
 * The lineage that an entity declares (outputs of inputs included): what feeds it and what
 * it feeds. Tests, groups and relationships declare none. May hold one edge twice.
 */
export function declaredEdges(item: DataEntity): DeclaredEdge[] {
  const { catrn, dataset, data_transformer, data_consumer, data_input } = item;
  const parents = [
    ...(dataset?.parent_catrn === undefined ? [] : [dataset.parent_catrn]),
    ...data_transformer?.inputs ?? [],
    ...data_consumer?.inputs ?? [],
  ];
  const children = [...data_transformer?.outputs ?? [], ...data_input?.outputs ?? []];
  return [
    ...parents.map((parent) => ({ parent, child: catrn })),
    ...children.map((child) => ({ parent: catrn, child })),
  ];
}

/** Every CATRN of another entity that an item names; may repeat. */
export function referencesOf(item: DataEntity): string[] {
  const { data_quality_test, data_entity_group: group, data_relationship: relation } = item;
  return [
    ...declaredEdges(item).flatMap(({ parent, child }) => [parent, child]),
    ...data_quality_test?.dataset_list ?? [],
    ...group?.entities_list ?? [],
    ...(group?.group_catrn === undefined ? [] : [group.group_catrn]),
    ...(relation ? [relation.source_dataset_catrn, relation.target_dataset_catrn] : []),
  ];
}
