import type { Actor } from "#contract/actor.ts";
import { type Permission, permissions } from "#contract/permissions.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";

/** What a call needs: nothing, somebody who signed in, or a permission (everywhere, or on a resource). */
export type Needed =
  | "anonymous"
  | "signed-in"
  | { permission: Permission; resource: ResourceRef | null };

/** Decides who may do what. */
export interface Authorizer {
  /** Resolves when the actor may; throws an `AppError` 401 or 403. */
  authorize(actor: Actor, needed: Needed): Promise<void>;
  /** Permissions that the actor holds whatever the resource. */
  permissionsOf(actor: Actor): Promise<readonly Permission[]>;
}

/** Everyone may do everything (`auth.type` DISABLED). */
export const open: Authorizer = {
  authorize: () => Promise.resolve(),
  permissionsOf: () => Promise.resolve(permissions),
};
