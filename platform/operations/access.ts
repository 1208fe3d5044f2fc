import type { Actor } from "#contract/actor.ts";
import { type Permission, permissions } from "#contract/permissions.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";

/** What a call requires: nothing, a signed-in user, or a permission (global, or on a resource). */
export type Needed =
  | "anonymous"
  | "signed-in"
  | { permission: Permission; resource: ResourceRef | null };

/** Decides who may do what. */
export interface Authorizer {
  /** Resolves when the actor is allowed; otherwise throws an `AppError` 401 or 403. */
  authorize(actor: Actor, needed: Needed): Promise<void>;
  /** Permissions that the actor holds on every resource. */
  permissionsOf(actor: Actor): Promise<readonly Permission[]>;
}

/** Everyone may do everything (`auth.type` DISABLED). */
export const open: Authorizer = {
  authorize: () => Promise.resolve(),
  permissionsOf: () => Promise.resolve(permissions),
};
