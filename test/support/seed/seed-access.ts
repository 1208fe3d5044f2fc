import type { Permission } from "#contract/permissions.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type {
  Condition,
  PolicyDocument,
} from "#services/api/access/permissions/policy/document.ts";
import { bindUser } from "#test/support/http/caller.ts";

/** A policy of one statement. */
export function policyOf(
  type: PolicyDocument["statements"][number]["resource"]["type"],
  permissions: (Permission | "ALL")[],
  conditions?: Condition,
): PolicyDocument {
  const resource = { type, ...(conditions ? { conditions } : {}) };
  return { statements: [{ resource, permissions }] };
}

/** A role with a policy of its own; ids of both. */
export async function seedRole(
  db: Queryable,
  name: string,
  document: PolicyDocument | string,
): Promise<{ role: number; policy: number }> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const [row] = await db.query<{ role: number; policy: number }>(
    `WITH p AS (INSERT INTO policy (name, document) VALUES ($1, $2) RETURNING id),
          r AS (INSERT INTO role (name) VALUES ($1) RETURNING id)
     INSERT INTO role_policy (role_id, policy_id) SELECT r.id, p.id FROM r, p
     RETURNING role_id AS role, policy_id AS policy`,
    [name, text],
  );
  return row!;
}

/** Binds a user to an owner of the same name that has these roles; the owner's id. */
export async function seedUser(db: Queryable, name: string, roles: number[]): Promise<number> {
  const owner = await bindUser(db, name, name);
  await db.query(
    "INSERT INTO owner_role (owner_id, role_id) SELECT $1, unnest($2::bigint[])",
    [owner, roles],
  );
  return owner;
}
