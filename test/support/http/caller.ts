import type { Actor } from "#contract/actor.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Route } from "#platform/operations/declare.ts";

/** The same operations, called by a user. */
export function calledBy(name: string, routes: Route[]): Route[] {
  const actor: Actor = { kind: "user", name, provider: "" };
  return routes.map(({ spec, handler }) => ({
    spec,
    handler: (input) => handler({ ...input, actor }),
  }));
}

/** Binds a user to an owner, made when it is missing; the owner's id. */
export async function bindUser(db: Queryable, username: string, owner: string): Promise<number> {
  const [row] = await db.query<{ owner_id: number }>(
    `WITH o AS (INSERT INTO owner (name) VALUES ($2)
       ON CONFLICT (name) DO UPDATE SET name = $2 RETURNING id)
     INSERT INTO user_owner (username, owner_id) SELECT $1, id FROM o RETURNING owner_id`,
    [username, owner],
  );
  return row!.owner_id;
}
