import type { Queryable } from "#metadata/postgres/database.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";

/** A user who has signed in, by name; or any caller. */
export type TestCaller = string | Caller;

/** The caller that a name stands for: a user who has signed in without a provider. */
export function callerFrom(who: TestCaller): Caller {
  return typeof who === "string"
    ? { kind: "user", name: who, provider: "", credential: "session" }
    : who;
}

/** The same operations, called by somebody. */
export function calledBy(who: TestCaller, routes: Route[]): Route[] {
  const actor = callerFrom(who);
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
