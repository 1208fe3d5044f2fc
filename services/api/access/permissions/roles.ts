import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import { parsePolicy } from "./policy/document.ts";
import { compilePolicy, type Grant, Rules } from "./policy/rules.ts";

/** Roles and policies that are always there; their names cannot be changed. */
export const predefined = {
  /** Role and policy of a user whom the provider lists as an administrator. */
  administrator: "Administrator",
  /** Role of everybody else who has no other. */
  user: "User",
} as const;

/**
 * Whether a user of LOGIN_FORM is an administrator: where no permission is required everybody is, otherwise those whom
 * the configuration names.
 */
export function isFormAdministrator({ auth }: Pick<Config, "auth">, name: string): boolean {
  return !auth["enforce-all-gates"] || auth["login-form-administrators"].includes(name);
}

/**
 * The role of somebody whose owner has none, or who has no owner. `admin`: what the identity provider said, which counts
 * for users of providers only: a session may be older than the configuration.
 */
export function fallbackRole(
  config: Pick<Config, "auth">,
  { name, provider, admin = false }: { name: string | null; provider: string; admin?: boolean },
): string {
  const isAdministrator = config.auth.type === "LOGIN_FORM"
    ? name !== null && provider === "" && isFormAdministrator(config, name)
    : admin;
  return isAdministrator ? predefined.administrator : predefined.user;
}

/** Whether one of these roles is new to somebody who had the others. An administrator had them all. */
export function bringsRights(before: readonly string[], after: readonly string[]): boolean {
  return !before.includes(predefined.administrator) && after.some((role) => !before.includes(role));
}

/** What each role allows, at one time. */
export interface Roles {
  byId: ReadonlyMap<number, Rules>;
  byName: ReadonlyMap<string, Rules>;
}

interface CompiledRoles {
  revision: number;
  grants: Grant[];
}

/** Loads what roles allow; a policy that has not changed since is not read nor compiled again. */
export class RoleLoader {
  #compiled: ReadonlyMap<number, CompiledRoles> = new Map();
  readonly #unreadable;

  constructor(private readonly deps: { db: Queryable; log: Logger; metrics: Metrics }) {
    this.#unreadable = deps.metrics.gauge(
      "tributary_access_unreadable_policies",
      "Policies of roles that this release cannot read; they grant nothing",
    );
  }

  async load(): Promise<Roles> {
    const rows = await this.deps.db.query(rolesWithPolicies);
    await this.#compile(rows);
    const [byId, byName] = [new Map<number, Rules>(), new Map<string, Rules>()];
    for (const [id, own] of Map.groupBy(rows, (row) => row.role_id)) {
      const grants = own.flatMap(({ policy_id }) =>
        policy_id === null ? [] : this.#compiled.get(policy_id)?.grants ?? []
      );
      const rules = new Rules(grants);
      byId.set(id, rules);
      byName.set(own[0]!.role, rules);
    }
    return { byId, byName };
  }

  /** Forgets policies that no role has any more. */
  async #compile(rows: RolePolicyRow[]): Promise<void> {
    const wanted = new Map<number, number | null>();
    for (const { policy_id, revision } of rows) {
      if (policy_id !== null) wanted.set(policy_id, revision);
    }
    const before = [...this.#compiled];
    const unchanged = new Map(before.filter(([id, { revision }]) => wanted.get(id) === revision));
    const missing = [...wanted.keys()].filter((id) => !unchanged.has(id));
    if (missing.length > 0) {
      for (const row of await this.deps.db.query(policyDocuments, [missing])) {
        unchanged.set(row.id, { revision: row.revision, grants: this.#grantsOf(row) });
      }
    }
    this.#compiled = unchanged;
    this.#unreadable.set(
      {},
      [...unchanged.values()].filter(({ grants }) => grants.length === 0).length,
    );
  }

  /** A policy that cannot be read grants nothing, and stops no other. */
  #grantsOf({ id, document }: PolicyRow): Grant[] {
    const parsed = parsePolicy(document);
    if ("document" in parsed) return compilePolicy(parsed.document);
    const [{ path, message }] = parsed.problems as [{ path: PropertyKey[]; message: string }];
    this.deps.log.error("policy cannot be read and grants nothing", {
      policy: id,
      place: path.join("."),
      problem: message,
    });
    return [];
  }
}

/** A policy of a role, as it is now. */
interface RolePolicyRow {
  role_id: number;
  role: string;
  /** Null where the role has no policy. */
  policy_id: number | null;
  revision: number | null;
}

/** Every role with its policies. */
const rolesWithPolicies = statement<RolePolicyRow>("access-roles")`
  SELECT r.id AS role_id, r.name AS role, p.id AS policy_id, p.revision
    FROM role r LEFT JOIN role_policy x ON x.role_id = r.id LEFT JOIN policy p ON p.id = x.policy_id`;

interface PolicyRow {
  id: number;
  revision: number;
  document: string;
}

const policyDocuments = statement<PolicyRow>("access-policy-documents")`
  SELECT id, revision, document FROM policy WHERE id = ANY($1)`;

/** The owner that the user $1, $2 is bound to, with the ids of its roles. */
export const ownerOfUser = statement<{ owner_id: number; role_ids: number[] }>(
  "access-owner-of-user",
)`
  SELECT u.owner_id, ARRAY(SELECT role_id FROM owner_role o WHERE o.owner_id = u.owner_id) AS role_ids
    FROM user_owner u WHERE u.username = $1 AND u.provider = $2`;
