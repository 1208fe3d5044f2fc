import { read } from "#web/api/client.ts";

/** Where a search found its words in an entity. */
export function readHighlights(searchId: string, entity: number) {
  return {
    ...read("/api/search/{search_id}/data_entities/{data_entity_id}/highlights", {
      params: { path: { search_id: searchId, data_entity_id: entity } },
    }),
    placeholderData: undefined,
    staleTime: 5 * 60_000,
  };
}
