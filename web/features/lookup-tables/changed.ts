import { useQueryClient } from "@tanstack/react-query";
import { refresh } from "#web/api/client.ts";

/** Reads again what shows lookup tables, after one was changed. */
export function useTablesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    refresh(
      queries,
      "/api/referencedata",
      "/api/datasets/{data_entity_id}",
      "/api/dataentities/{data_entity_id}",
    );
}
