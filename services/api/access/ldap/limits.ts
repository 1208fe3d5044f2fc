import { type Limit, limit } from "#kit/limits.ts";

/** UTF-16 units of a name or password that is taken to the directory. */
export const longestName = 255;
export const longestPassword = 1_000;
/** Checks that talk to the directory at once, and those that wait for their turn. */
export const maxConcurrentChecks = 16;
export const checksWaiting = 200;
export const checksWaitingPerAddress = 20;
/** Failures are answered at multiples of this, milliseconds. */
export const failuresEveryMs = 500;
/** Groups of one user that are looked at. */
export const maxGroups = 1_000;

const entrance = "sign-in by LDAP";

/** Limits on requests to the directory. */
export const ldapLimits: Limit[] = [
  limit(entrance, "name, UTF-16 units", longestName, "treated as a wrong name or password"),
  limit(entrance, "password, UTF-16 units", longestPassword, "treated as a wrong name or password"),
  limit(entrance, "checks at once", maxConcurrentChecks, "they wait, then 503"),
  limit(entrance, "checks waiting", checksWaiting, "503"),
  limit(entrance, "checks of one network waiting", checksWaitingPerAddress, "503"),
  limit(entrance, "groups of a user", maxGroups, "503"),
];
