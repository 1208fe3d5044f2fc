import { anonymous } from "#contract/actor.ts";
import { type Permission, permissions } from "#contract/permissions.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";

/**
 * What a call requires: nothing, a signed-in user, the token of a collector where ingestion requires one, or a
 * permission (global, or on a resource). A permission that is `dormant` is required only where
 * `auth.enforce-all-gates` is on; otherwise being signed in is enough.
 */
export type AccessRequirement =
  | "anonymous"
  | "signed-in"
  | "collector"
  | { permission: Permission; resource: ResourceRef | null; dormant?: true };

/** Decides who may do what. */
export interface Authorizer {
  /** Resolves when the caller is allowed; otherwise throws an `AppError` 401 or 403. */
  authorize(caller: Caller, needed: AccessRequirement): Promise<void>;
  /**
   * Resolves when the caller holds the permission on each of these data entities, for operations that reach more than
   * the path names; unknown and hollow ones do not count. Otherwise throws 401, or 403 that names one.
   */
  authorizeEntities(caller: Caller, permission: Permission, ids: readonly number[]): Promise<void>;
  /** Permissions that the caller holds on every resource (MANAGEMENT). */
  permissionsOf(caller: Caller): Promise<readonly Permission[]>;
  /** Permissions that the caller holds on this resource. Throws 404 when there is no such resource. */
  permissionsOn(caller: Caller, resource: ResourceRef): Promise<readonly Permission[]>;
}

/** What credentials are looked at for. */
export type CredentialUse = "request" | "watch";

/** Identifies the caller of a request. */
export interface Authenticator {
  /**
   * The caller that the credentials show; without any, a caller who is not signed in. `access`: what they are for.
   * `use`: by default a request is made with them; `watch` looks only whether they are good still, and keeps no session
   * alive. Throws an `AppError` 401 for credentials that are wrong or expired, and 503 when they cannot be checked.
   */
  authenticate(
    request: Request,
    address: string | undefined,
    access: "signed-in" | "collector",
    use?: CredentialUse,
  ): Promise<Caller>;
  /** Path of the page where people sign in; undefined where nobody does. */
  readonly signInPath?: string;
}

/** Who checks the credentials of a request, and what the caller may do. */
export interface AccessControl {
  authenticator: Authenticator;
  authorizer: Authorizer;
}

/** Everyone may do everything (`auth.type` DISABLED). */
export const open: Authorizer = {
  authorize: () => Promise.resolve(),
  authorizeEntities: () => Promise.resolve(),
  permissionsOf: () => Promise.resolve(permissions),
  permissionsOn: () => Promise.resolve(permissions),
};

/** Nobody signs in. */
export const nobodySignsIn: Authenticator = {
  authenticate: (_request, address) => Promise.resolve({ ...anonymous, address }),
};

export const openAccess: AccessControl = { authenticator: nobodySignsIn, authorizer: open };
