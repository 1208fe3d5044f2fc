import type { Actor } from "#contract/actor.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A user as its identity provider knows it; the provider of users of the configuration is empty. */
export interface Person {
  username: string;
  provider: string;
}

/** How clients name the provider of users of the configuration, who have none. */
export const formProvider = "LOGIN_FORM";

/** A provider as it is stored. */
export function storedProvider(given: string | null | undefined): string {
  return !given || given === formProvider ? "" : given;
}

export const samePerson = (a: Person, b: Person): boolean =>
  a.username === b.username && a.provider === b.provider;

/** A person for auditors. */
export const personInWords = ({ username, provider }: Person): string =>
  provider === "" ? username : `${username} (${provider})`;

/** The person who calls; undefined for programs, collectors, and where nobody is signed in. */
export function personOf({ kind, name, provider }: Actor): Person | undefined {
  return kind === "user" && name !== null ? { username: name, provider } : undefined;
}

/** A person, and whether the identity provider or the configuration holds it for an administrator. */
interface Account extends Person {
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
