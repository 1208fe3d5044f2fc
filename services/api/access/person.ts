import type { Actor } from "#contract/actor.ts";

/** A user as its identity provider knows it; the provider of users of the configuration is empty. */
export interface Person {
  username: string;
  provider: string;
}

/** The person who calls; undefined for programs, collectors, and where nobody is signed in. */
export function personOf({ kind, name, provider }: Actor): Person | undefined {
  return kind === "user" && name !== null ? { username: name, provider } : undefined;
}
