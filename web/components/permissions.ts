import { useQueries, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { read, refuseChanges, type Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

/** What one may be allowed to do: as the published contract names it, and what this catalogue has besides. */
export type Permission = Schema<"Permission"> | Schema<"FurtherPermission">;

type ResourceKind = Schema<"PermissionResourceType">;

/** The user whose permissions the interface shows instead of one's own. */
export interface ViewedUser {
  username: string;
  provider: string | null;
}

/** Who is signed in, and what they may do everywhere; read once and kept. */
export function useIdentity() {
  return useQuery({ ...read("/api/identity/whoami"), staleTime: 60_000 });
}

/** How people sign in here, and which release this is. */
export function useAppInfo() {
  return useQuery({ ...read("/api/appInfo"), staleTime: Infinity });
}

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
      path: { permission_resource_type: kind ?? "DATA_ENTITY", resource_id: id ?? 0 },
    }),
    enabled: hasResource && !viewed && info?.authType !== "DISABLED",
    staleTime: 60_000,
  }).data;
  const theirs = useQueries({
    queries: (viewed ? [{}, ...hasResource ? [resource] : []] : []).map((of) => ({
      ...read("/api/identity/permissions", {
        query: { ...viewed!, provider: viewed!.provider ?? undefined, ...of },
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

const viewedUserKey = "tributary.view-as";
const viewedUserListeners = new Set<() => void>();
let viewedUser = storedUser();
refuseWhileViewing();

export function useViewedUser(): ViewedUser | undefined {
  return useSyncExternalStore(
    (listener) => {
      viewedUserListeners.add(listener);
      return () => void viewedUserListeners.delete(listener);
    },
    () => viewedUser,
  );
}

/** For this tab only. */
function storedUser(): ViewedUser | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(viewedUserKey) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Shows what a user may do, or with `undefined` what oneself may. Nothing can be changed meanwhile. */
export function viewAs(user: ViewedUser | undefined): void {
  viewedUser = user;
  if (user) sessionStorage.setItem(viewedUserKey, JSON.stringify(user));
  else sessionStorage.removeItem(viewedUserKey);
  refuseWhileViewing();
  for (const listener of viewedUserListeners) listener();
}

function refuseWhileViewing(): void {
  refuseChanges(
    viewedUser && (() => t("components.viewingNothingChanges", { name: viewedUser!.username })),
  );
}
