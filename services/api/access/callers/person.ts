import type { Actor } from "#contract/actor.ts";

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
