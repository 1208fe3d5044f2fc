import { createHmac } from "node:crypto";
import { sameDigest } from "#kit/secret.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { formUsers } from "#services/api/access/sign-in/form-users.ts";

/**
 * What the configuration holds as the password of somebody; undefined for people of providers, whose passwords are not
 * known here.
 */
export type CredentialOf = (person: Person) => string | undefined;

/** Of the users of LOGIN_FORM; where people sign in elsewhere, of nobody. */
export function configuredCredentials(config: Pick<Config, "auth">): CredentialOf {
  const isForm = config.auth.type === "LOGIN_FORM";
  const users = isForm ? formUsers(config) : [];
  const known = new Map(users.map(({ username, password }) => [username, password]));
  return ({ username, provider }) => provider === "" ? known.get(username) : undefined;
}

/**
 * Binds a session or token to a password. Keyed by its secret value, which is not stored, so that the stamp reveals nothing
 * about the password to a reader of the store.
 */
export function stampOf(value: string, credential: string | undefined): Uint8Array | undefined {
  if (credential === undefined) return undefined;
  return createHmac("sha256", value).update(credential).digest();
}

/** Whether the password is the same as when the stamp was made. */
export function isStamped(
  stamp: Uint8Array,
  value: string,
  credential: string | undefined,
): boolean {
  const now = stampOf(value, credential);
  return now !== undefined && sameDigest(stamp, now);
}
