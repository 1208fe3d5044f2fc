import {
  type Permission,
  type PermissionResource,
  permissionsByResource,
} from "#contract/permissions.ts";
import { type AppError, forbidden, unauthenticated } from "#kit/errors.ts";
import { requireCollector } from "#services/api/access/callers/authenticate.ts";
import { ShortCache } from "#kit/short-cache.ts";
import type { Context } from "#platform/context.ts";
import type { AccessRequirement, Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { ResourceRef } from "#platform/operations/declare.ts";
import { fallbackRole, ownerOfUser, predefined, RoleLoader, type Roles } from "./roles.ts";
import type { Rules, Subject } from "./policy/rules.ts";
import { kinds, nameOf, subjectOf, subjectsOf } from "./subjects.ts";

/** Milliseconds in which a changed role, policy or owner takes effect, on every replica. */
export const accessLifetime = 1_000;

/** Users whose owner is remembered. */
const maxUsers = 10_000;

/** Resources whose attributes are remembered. */
const maxResources = 10_000;

export interface PolicyAuthorizerOptions {
  /** Called for every caller who lacks a permission, with a text without secrets. */
  refused?: (caller: Caller, permission: Permission, what: string) => void;
  /** Instead of `accessLifetime`. */
  lifetimeMs?: number;
}

type Deps = Pick<Context, "config" | "db" | "clock" | "log" | "metrics">;

/**
 * Decides by the policies of the caller's roles, which are those of the bound owner, else the role of the
 * provider. What has changed in the database takes effect within `accessLifetime`.
 */
export function policyAuthorizer(
  context: Deps,
  options: PolicyAuthorizerOptions = {},
): Authorizer {
  return new PolicyAuthorizer(context, options);
}

/** What a caller may do, and the owner that the caller is bound to. */
interface Grants {
  rules: Rules[];
  owner: number | null;
}

type Owner = { owner_id: number; role_ids: number[] } | undefined;

class PolicyAuthorizer implements Authorizer {
  readonly #roles: ShortCache<Roles>;
  readonly #owners: ShortCache<Owner>;
  readonly #subjects: ShortCache<Subject | null>;
  readonly #loader: RoleLoader;

  constructor(
    private readonly context: Deps,
    private readonly options: PolicyAuthorizerOptions,
  ) {
    const { lifetimeMs: ttlMs = accessLifetime } = options;
    const common = { ttlMs, clock: context.clock, metrics: context.metrics };
    this.#loader = new RoleLoader(context);
    this.#roles = new ShortCache({ ...common, name: "roles", maxEntries: 1 });
    this.#owners = new ShortCache({ ...common, name: "owners", maxEntries: maxUsers });
    this.#subjects = new ShortCache({ ...common, name: "resources", maxEntries: maxResources });
  }

  async authorize(caller: Caller, needed: AccessRequirement): Promise<void> {
    if (needed === "anonymous") return;
    if (needed === "collector") {
      if (this.context.config.auth.ingestion.filter.enabled) requireCollector(caller);
      return;
    }
    requireUser(caller);
    if (needed === "signed-in" || this.#isOpen(needed.dormant)) return;
    const { permission, resource } = needed;
    if (await this.#isAllowed(caller, permission, resource)) return;
    throw this.#refused(caller, permission, resource);
  }

  async authorizeEntities(
    caller: Caller,
    permission: Permission,
    ids: readonly number[],
  ): Promise<void> {
    requireUser(caller);
    if (ids.length === 0 || this.#isOpen()) return;
    const { rules, owner } = await this.#grantsOf(caller);
    const { type } = kinds.data_entity;
    if (rules.some((one) => one.holds(type, permission))) return;
    for await (const { id, subject } of subjectsOf(this.context.db, ids, owner)) {
      if (rules.some((one) => one.allowsOn(subject, type, permission))) continue;
      throw this.#refused(caller, permission, { kind: "data_entity", id });
    }
  }

  #refused(caller: Caller, permission: Permission, resource: ResourceRef | null): AppError {
    const what = `${permission}${resource ? ` on ${nameOf(resource)}` : ""} is required`;
    this.options.refused?.(caller, permission, what);
    return forbidden(what);
  }

  async permissionsOf(caller: Caller): Promise<Permission[]> {
    requireUser(caller);
    if (this.#isOpen()) return [...permissionsByResource.MANAGEMENT];
    return grantedBy(await this.#grantsOf(caller), "MANAGEMENT");
  }

  async permissionsOn(caller: Caller, resource: ResourceRef): Promise<Permission[]> {
    requireUser(caller);
    const { type } = kinds[resource.kind];
    const grants = await this.#grantsOf(caller);
    const subject = await subjectOf(this.context.db, resource, grants.owner);
    if (this.#isOpen()) return [...permissionsByResource[type]];
    return grantedBy(grants, type, subject ?? undefined);
  }

  /** Whether being signed in is enough. */
  #isOpen(dormant = false): boolean {
    const { type, "enforce-all-gates": enforced } = this.context.config.auth;
    return !enforced && (dormant || type === "LOGIN_FORM");
  }

  /**
   * Reads the resource only if conditions can grant what is not granted anyway. What was read a moment ago may grant:
   * as a changed role takes a moment to take effect, so does a changed resource. It never refuses: a user who has just
   * been given something may use it at once.
   */
  async #isAllowed(
    caller: Caller,
    permission: Permission,
    resource: ResourceRef | null,
  ): Promise<boolean> {
    const { rules, owner } = await this.#grantsOf(caller);
    const type = resource ? kinds[resource.kind].type : "MANAGEMENT";
    if (rules.some((one) => one.holds(type, permission))) return true;
    const possible = rules.filter((one) => one.mayBeGranted(type, permission));
    if (!resource || possible.length === 0) return false;
    const isAllowedOn = (subject: Subject | null | undefined) =>
      !!subject && possible.some((one) => one.allowsOn(subject, type, permission));
    const key = JSON.stringify([resource.kind, resource.id, owner]);
    if (isAllowedOn(await this.#subjects.peek(key))) return true;
    const read = () => subjectOf(this.context.db, resource, owner);
    return isAllowedOn(await this.#subjects.renew(key, read));
  }

  async #grantsOf(caller: Caller): Promise<Grants> {
    const { byId, byName } = await this.#roles.get("", () => this.#loader.load());
    const named = (name: string) => [byName.get(name)].filter((one) => one !== undefined);
    if (caller.credential === "service-key") {
      return { rules: named(predefined.administrator), owner: null };
    }
    const owner = await this.#ownerOf(caller);
    const rules = owner && owner.role_ids.length > 0
      ? owner.role_ids.flatMap((id) => byId.get(id) ?? [])
      : named(fallbackRole(this.context.config, caller));
    return { rules, owner: owner?.owner_id ?? null };
  }

  async #ownerOf({ name, provider }: Caller): Promise<Owner> {
    if (name === null) return undefined;
    const key = JSON.stringify([name, provider]);
    const read = async () => (await this.context.db.query(ownerOfUser, [name, provider]))[0];
    return await this.#owners.get(key, read);
  }
}

/** Throws 401 for a caller who is not signed in, and 403 for a collector. */
function requireUser({ credential }: Caller): void {
  if (!credential) throw unauthenticated("Sign in, or send a token");
  if (credential !== "collector-token") return;
  throw forbidden("The token of a collector or data source is for ingestion only");
}

/** In the order of the contract. */
function grantedBy(
  { rules }: Grants,
  type: PermissionResource,
  subject?: Parameters<Rules["granted"]>[1],
): Permission[] {
  const granted = rules.map((one) => one.granted(type, subject));
  return permissionsByResource[type].filter((permission) =>
    granted.some((set) => set.has(permission))
  );
}
