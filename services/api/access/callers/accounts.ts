import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Person } from "#services/api/access/callers/person.ts";

/** A person, and whether the identity provider or the configuration holds it for an administrator. */
export interface Account extends Person {
  admin: boolean;
}

const remember = statement("account-remember")`
  INSERT INTO account AS a (username, provider, admin) VALUES ($1, $2, $3)
  ON CONFLICT (username, provider) DO UPDATE SET admin = excluded.admin, signed_in_at = now()`;

/**
 * Notes that somebody has signed in, and as what: personal tokens act as administrators if the last sign-in
 * said so.
 */
export async function rememberAccount(db: Queryable, account: Account): Promise<void> {
  const { username, provider, admin } = account;
  await db.query(remember, [username, provider, admin]);
}

// Changes nothing of an account that is there, and locks it.
const lock = statement("account-lock")`
  INSERT INTO account AS a (username, provider, admin) VALUES ($1, $2, $3)
  ON CONFLICT (username, provider) DO UPDATE SET admin = a.admin`;

/** Locks an account, so that what belongs to it changes one at a time; makes it when it is missing. */
export async function lockAccount(tx: Transaction, account: Account): Promise<void> {
  const { username, provider, admin } = account;
  await tx.query(lock, [username, provider, admin]);
}
