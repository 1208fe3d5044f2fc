import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A policy of a role, as it is now. */
export interface RolePolicyRow {
  role_id: number;
  role: string;
  /** Null where the role has no policy. */
  policy_id: number | null;
  revision: number | null;
}

const roles = statement<RolePolicyRow>("access-roles")`
  SELECT r.id AS role_id, r.name AS role, p.id AS policy_id, p.revision
    FROM role r LEFT JOIN role_policy x ON x.role_id = r.id LEFT JOIN policy p ON p.id = x.policy_id`;

/** Every role with its policies. */
export function rolePolicies(db: Queryable): Promise<RolePolicyRow[]> {
  return db.query(roles);
}

export interface PolicyRow {
  id: number;
  revision: number;
  document: string;
}

const documents = statement<PolicyRow>("access-policy-documents")`
  SELECT id, revision, document FROM policy WHERE id = ANY($1)`;

export function policyDocuments(db: Queryable, ids: number[]): Promise<PolicyRow[]> {
  return db.query(documents, [ids]);
}

const owner = statement<{ owner_id: number; role_ids: number[] }>("access-owner-of-user")`
  SELECT u.owner_id, ARRAY(SELECT role_id FROM owner_role o WHERE o.owner_id = u.owner_id) AS role_ids
    FROM user_owner u WHERE u.username = $1 AND u.provider = $2`;

/** The owner that a user is bound to, with the ids of its roles; undefined for none. */
export async function ownerOfUser(db: Queryable, username: string, provider: string) {
  return (await db.query(owner, [username, provider]))[0];
}
