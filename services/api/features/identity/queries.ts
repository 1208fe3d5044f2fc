import type { Queryable } from "#metadata/postgres/database.ts";

const owner = `
  SELECT o.id, o.name FROM user_owner u JOIN owner o ON o.id = u.owner_id
   WHERE u.username = $1 AND u.provider = $2`;

/** The owner that a user is linked to. */
export async function ownerOf(db: Queryable, username: string, provider: string) {
  return (await db.query<{ id: number; name: string }>(owner, [username, provider]))[0];
}
