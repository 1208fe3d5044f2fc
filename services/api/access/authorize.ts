import type { Context } from "#platform/context.ts";
import { unauthenticated } from "#kit/errors.ts";
import { permissions } from "#contract/permissions.ts";
import type { Authorizer } from "#platform/operations/access.ts";
export function policyAuthorizer(_context: Context): Authorizer {
  return {
    authorize: (caller, needed) =>
      needed === "anonymous" || caller.credential
        ? Promise.resolve()
        : Promise.reject(unauthenticated("Sign in first")),
    permissionsOf: () => Promise.resolve(permissions),
    permissionsOn: () => Promise.resolve(permissions),
  };
}
