import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const owner = statement<{ owner: Record<string, unknown> }>("identity-owner")`
  SELECT json_owner(o) AS owner FROM user_owner u JOIN owner o ON o.id = u.owner_id
   WHERE u.username = $1 AND u.provider = $2`;

/** The owner that a user is linked to (Owner). */
export async function ownerOf(db: Queryable, username: string, provider: string) {
  return (await db.query(owner, [username, provider]))[0]?.owner;
}

const administrator = statement<{ admin: boolean }>("identity-administrator")`
  SELECT admin FROM account WHERE username = $1 AND provider = $2`;

/** Whether the provider said, when a user signed in last, that it is an administrator. */
export async function isAdministrator(db: Queryable, username: string, provider: string) {
  return (await db.query(administrator, [username, provider]))[0]?.admin ?? false;
}
