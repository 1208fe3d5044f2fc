import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";

/** What a change of an entity, or of one of its columns, reaches; undefined until it is read. */
export function useImpactCounts(id: number, column?: string): Schema<"Impact"> | undefined {
  const query = column === undefined ? {} : { column };
  const { data } = useQuery({
    ...read("/api/dataentities/{data_entity_id}/impact", {
      params: { path: { data_entity_id: id }, query },
    }),
    placeholderData: undefined,
    retry: false,
  });
  return data;
}
