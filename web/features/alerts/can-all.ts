import { useQueries } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { useViewedUser } from "#web/components/view-as.ts";
import { type Permission, useAppInfo, useCan } from "#web/components/permissions.ts";

/** Entities whose permissions are requested at most; more may be changed by those only who may change everything. */
const max = 50;

/** Whether something may be done with all of these entities; undefined stands for what belongs to none. */
export function useCanAll(entities: (number | undefined)[], permission: Permission): boolean {
  const everywhere = useCan()(permission);
  const open = useAppInfo().data?.authType === "DISABLED";
  const ids = [...new Set(entities)];
  const viewed = useViewedUser() !== undefined;
  const checked = everywhere || open || viewed
    ? []
    : ids.filter((id) => id !== undefined).slice(0, max);
  const each = useQueries({
    queries: checked.map((id) => ({
      ...read("/api/resource/{permission_resource_type}/{resource_id}/permissions", {
        params: { path: { permission_resource_type: "DATA_ENTITY", resource_id: id } },
      }),
      staleTime: 60_000,
    })),
  });
  if (everywhere || open) return true;
  return !viewed && ids.length === checked.length &&
    each.every(({ data }) => (data as Permission[] | undefined)?.includes(permission));
}
