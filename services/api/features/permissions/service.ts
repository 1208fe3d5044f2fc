import { isPublished, type Permission, permissionsByResource } from "#contract/permissions.ts";
import { badRequest } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { resourceTypes } from "#services/api/access/permissions/policy/document.ts";
import { kindOfType, subjectOf } from "#services/api/access/permissions/subjects.ts";

/**
 * The published permissions that the caller holds on a resource, in the order of the contract. Throws 400 for
 * MANAGEMENT, whose permissions hold whatever the resource, and 404 when there is no such resource.
 */
export async function permissionsOn(
  { db, authorizer }: Pick<Context, "db"> & { authorizer: Authorizer },
  caller: Caller,
  type: (typeof resourceTypes)[number],
  id: number,
): Promise<Permission[]> {
  if (type === "MANAGEMENT") {
    throw badRequest("Resource type MANAGEMENT does not have context", [{
      field: "permission_resource_type",
      message: "must not be MANAGEMENT: whoami lists the global permissions",
    }]);
  }
  const resource = { kind: kindOfType[type], id };
  // Where everybody may do everything, nobody looks whether the resource is there.
  await subjectOf(db, resource, null);
  const granted = new Set(await authorizer.permissionsOn(caller, resource));
  return permissionsByResource[type].filter((one) => granted.has(one) && isPublished(one));
}
