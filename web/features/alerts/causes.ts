import { useQueries } from "@tanstack/react-query";
import { ask } from "#web/api/client.ts";
import type { Alert, Upstream } from "#web/features/alerts/groups.ts";

/** Entities whose lineage is read to tell causes from what follows of them, and how far up. */
const max = 12;
const depth = 8;

/** What is upstream of the first entities with open alerts; nothing is read when there is one only. */
export function useUpstream(alerts: Alert[]): Upstream {
  const open = alerts.filter(({ status }) => status === "OPEN");
  const ids = [...new Set(open.map(({ data_entity }) => data_entity?.id ?? 0))].filter(Boolean);
  const checked = ids.length > 1 ? ids.slice(0, max) : [];
  return useQueries({
    queries: checked.map((id) => ({
      queryKey: ["/api/dataentities/{data_entity_id}/lineage/upstream", "causes", id] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => upstreamOf(id, signal),
      staleTime: 5 * 60_000,
      retry: false,
    })),
    combine: (results) => new Map(results.map(({ data }, at) => [checked[at]!, new Set(data)])),
  });
}

/** Ids of what is upstream, also within groups. */
async function upstreamOf(id: number, signal: AbortSignal): Promise<number[]> {
  const query = { lineage_depth: depth, expand: "all" as const };
  const params = { path: { data_entity_id: id }, query };
  const path = "/api/dataentities/{data_entity_id}/lineage/upstream";
  const { data } = await ask("get", path, { params, signal });
  return data.upstream.nodes.map((node) => node.id);
}
