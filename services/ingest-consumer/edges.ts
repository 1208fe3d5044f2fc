import type { DataEntity } from "#contract/ingestion/schema.ts";

/** A declared edge, by CATRN. The entity that declares it is its establisher. */
export interface DeclaredEdge {
  parent: string;
  child: string;
}

/**
 * The edges that an entity declares, both into it and out of it (including the outputs of inputs).
 * Tests, groups and relationships declare none. May contain duplicates.
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

/** CATRNs of the datasets that an item's column lineage names, each once. */
function columnDatasets({ data_transformer }: DataEntity): Set<string> {
  const found = new Set<string>();
  for (const { target, sources } of data_transformer?.column_lineage ?? []) {
    if (sources.length > 0) found.add(target.dataset_catrn);
    for (const { dataset_catrn } of sources) found.add(dataset_catrn);
  }
  return found;
}

/** CATRNs of all other entities that an item names; may contain duplicates. */
export function referencesOf(item: DataEntity): string[] {
  const { data_quality_test, data_entity_group: group, data_relationship: relation } = item;
  return [
    ...declaredEdges(item).flatMap(({ parent, child }) => [parent, child]),
    ...columnDatasets(item),
    ...data_quality_test?.dataset_list ?? [],
    ...group?.entities_list ?? [],
    ...(group?.group_catrn === undefined ? [] : [group.group_catrn]),
    ...(relation ? [relation.source_dataset_catrn, relation.target_dataset_catrn] : []),
  ];
}
