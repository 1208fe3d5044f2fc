import { useQuery, useQueryClient } from "@tanstack/react-query";
import { refresh, send } from "#web/api/client.ts";

/**
 * Notes that the caller views the entity, once for each time that its page is opened; answers when that was last
 * before (ISO 8601), if ever. That it cannot be noted disturbs nobody.
 */
export function useVisit(id: number): string | undefined {
  const queries = useQueryClient();
  const { data } = useQuery({
    // No path, so that nothing that is read again notes another visit.
    queryKey: ["visit", id],
    queryFn: async () => {
      const seen = await send("post", "/api/recently-viewed/status", {
        body: [{ asset_kind: "DATA_ENTITY", asset_id: id }],
      });
      await send("post", "/api/recently-viewed/{asset_kind}/{asset_id}", {
        params: { path: { asset_kind: "DATA_ENTITY", asset_id: id } },
      });
      void refresh(queries, "/api/recently-viewed");
      return seen[0]?.last_viewed_at ?? null;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return data ?? undefined;
}

/** Takes the entity from what the caller has viewed. */
export async function forget(id: number): Promise<void> {
  await send("delete", "/api/recently-viewed/{asset_kind}/{asset_id}", {
    params: { path: { asset_kind: "DATA_ENTITY", asset_id: id } },
  });
}
