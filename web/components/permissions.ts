import { useQueries, useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { useViewedUser } from "#web/components/view-as.ts";

/** What one may be allowed to do: as the published contract names it, and what this catalogue has besides. */
export type Permission = Schema<"Permission"> | Schema<"FurtherPermission">;

/** Who is signed in, and what they may do everywhere; read once and kept. */
export function useIdentity() {
  return useQuery({ ...read("/api/identity/whoami"), staleTime: 60_000 });
}

/** How people sign in here, and which release this is. */
export function useAppInfo() {
  return useQuery({ ...read("/api/appInfo"), staleTime: Infinity });
}

export type ResourceKind = Schema<"PermissionResourceType">;

/**
 * What the caller may do, or the user as whom the interface is viewed: everywhere, or with one thing. Until it is known
 * nothing is offered, so that no button is shown that will fail.
 */
export function useCan(
  kind?: Exclude<ResourceKind, "MANAGEMENT">,
  id?: number,
): (permission: Permission) => boolean {
  const info = useAppInfo().data;
  const identity = useIdentity().data;
  const viewed = useViewedUser();
  const hasResource = kind !== undefined && id !== undefined;
  const resource = hasResource ? { resource_type: kind, resource_id: id } : {};
  const own = useQuery({
    ...read("/api/resource/{permission_resource_type}/{resource_id}/permissions", {
      params: { path: { permission_resource_type: kind ?? "DATA_ENTITY", resource_id: id ?? 0 } },
    }),
    enabled: hasResource && !viewed && info?.authType !== "DISABLED",
    staleTime: 60_000,
  }).data;
  const theirs = useQueries({
    queries: (viewed ? [{}, ...hasResource ? [resource] : []] : []).map((of) => ({
      ...read("/api/identity/permissions", {
        params: { query: { ...viewed!, provider: viewed!.provider ?? undefined, ...of } },
      }),
      placeholderData: undefined,
      staleTime: 60_000,
    })),
  });
  return (permission) => {
    if (info?.authType === "DISABLED") return true;
    const { permissions, further_permissions: further } = identity?.identity ?? {};
    const granted = viewed
      ? theirs.flatMap(({ data }) => data ? [data.permissions, data.further_permissions] : [])
      : [own, permissions, further];
    return granted.some((some: Permission[] | null | undefined) => some?.includes(permission));
  };
}
