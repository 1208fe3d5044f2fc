import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { parsePolicy } from "./policy/parse.ts";
import { compilePolicy, type Grant, Rules } from "./policy/rules.ts";
import * as queries from "./rules.queries.ts";

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
    const rows = await queries.rolePolicies(this.deps.db);
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
  async #compile(rows: queries.RolePolicyRow[]): Promise<void> {
    const wanted = new Map<number, number | null>();
    for (const { policy_id, revision } of rows) {
      if (policy_id !== null) wanted.set(policy_id, revision);
    }
    const before = [...this.#compiled];
    const unchanged = new Map(before.filter(([id, { revision }]) => wanted.get(id) === revision));
    const missing = [...wanted.keys()].filter((id) => !unchanged.has(id));
    if (missing.length > 0) {
      for (const row of await queries.policyDocuments(this.deps.db, missing)) {
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
  #grantsOf({ id, document }: queries.PolicyRow): Grant[] {
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
