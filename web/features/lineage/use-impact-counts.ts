import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";

/** What a change of an entity, or of one of its columns, reaches; undefined until it is read. */
export function useImpactCounts(
  id: number | null,
  enabled: boolean,
  column?: string,
): Schema<"Impact"> | undefined {
  const params = {
    path: { data_entity_id: id ?? 0 },
    query: column === undefined ? {} : { column },
  };
  const { data } = useQuery({
    ...read("/api/dataentities/{data_entity_id}/impact", { params }),
    enabled: enabled && id !== null,
    placeholderData: undefined,
    retry: false,
  });
  return data;
}
