import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useRef } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { askDetails, detailsKey, readDetails } from "#web/components/entity-details.tsx";
import type { Permission } from "#web/components/permissions.ts";

export type Details = Schema<"DataEntityDetails">;

export interface CardOf {
  of: Details;
  can: (permission: Permission) => boolean;
}

/** The entity whose page is open; undefined where the address has no id. */
export function useEntityId(): number | undefined {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}

/**
 * Everything about the entity whose page this is, for its frame: read when the page is opened, which counts as a view,
 * and again when it changes, which does not.
 */
export function useOpened(id: number | undefined) {
  const viewed = useRef(false);
  return useQuery({
    ...readDetails(id ?? 0),
    queryFn: async ({ signal }) => {
      const details = await askDetails(id!, { view: !viewed.current, signal });
      viewed.current = true;
      return details;
    },
    refetchOnMount: "always",
    enabled: id !== undefined,
  });
}

/** The same for all tabs, which the frame reads. */
export function useDetails(id: number | undefined) {
  return useQuery({ ...readDetails(id ?? 0), refetchOnMount: false, enabled: id !== undefined });
}

/** What a change answers is shown at once; other queries about the entity are reloaded. */
export function useChanged(id: number) {
  const queries = useQueryClient();
  return (patch?: (now: Details) => Partial<Details>) => {
    const queryKey = detailsKey(id);
    if (!patch) void queries.invalidateQueries({ queryKey });
    else queries.setQueryData(queryKey, (now?: Details) => now && { ...now, ...patch(now) });
    void refresh(
      queries,
      "/api/dataentities/{data_entity_id}/activity",
      "/api/activity",
      "/api/search",
      "/api/dataentitygroups",
      "/api/favorites/list",
      "/api/recently-viewed/list",
    );
  };
}

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
        path: { asset_kind: "DATA_ENTITY", asset_id: id },
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
