import type { Queryable } from "#metadata/postgres/database.ts";
export async function rememberAccount(
  db: Queryable,
  { username, provider, admin }: { username: string; provider: string; admin: boolean },
) {
  await db.query(
    `INSERT INTO account (username, provider, admin) VALUES ($1,$2,$3) ON CONFLICT (username, provider) DO UPDATE SET admin = excluded.admin`,
    [username, provider, admin],
  );
}
