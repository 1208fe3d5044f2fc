import { type Limit, limit } from "#kit/limits.ts";
import { longestToken } from "#platform/http/request-headers.ts";
import { ldapLimits } from "#services/api/access/ldap/mode.ts";
import { oauth2Limits } from "#services/api/access/oauth2/provider.ts";
import { maxMemorySessions, maxSessionIds } from "#services/api/access/sessions/sessions.ts";
import {
  comparisonsWaiting,
  comparisonsWaitingPerAddress,
  longestPassword,
  maxConcurrentComparisons,
} from "#services/api/access/sign-in/credentials.ts";
import { longestForm, longestName } from "#services/api/access/sign-in/pages.ts";
import { longestReturn } from "#platform/http/pages.ts";
import { maxCounters } from "#cache/counters.ts";
import { failedAttempts, paces, type ThrottleRate } from "#services/api/access/callers/throttle.ts";

const form = "POST /login";
const hashed = "hashed passwords of LOGIN_FORM";
const { perUser, perAddress, windowMs } = failedAttempts;
const minutes = windowMs / 60_000;
const throttled = `429 for ${minutes} minutes`;
const slowed = ({ everyMs, maxWaiting }: ThrottleRate) =>
  `one every ${everyMs / 1_000} s; 429 when ${maxWaiting} wait`;

/** Limits on signing in. */
export const accessLimits: Limit[] = [
  limit(form, "body, bytes", longestForm),
  limit(form, "user name, UTF-16 units", longestName, "treated as a wrong name"),
  limit(form, "password, UTF-16 units", longestPassword, "treated as a wrong password"),
  limit(
    form,
    `attempts for one user of one network in ${minutes} minutes`,
    perUser,
    slowed(paces.userOfNetwork),
  ),
  limit(form, `attempts for one user in ${minutes} minutes`, perUser, slowed(paces.user)),
  limit(
    form,
    `failed attempts of one network in ${minutes} minutes`,
    perAddress,
    slowed(paces.network),
  ),
  limit(
    "tokens; answers of identity providers",
    `wrong ones of one network in ${minutes} minutes, each counted by itself`,
    perAddress,
    throttled,
  ),
  limit(
    "attempts, tokens and starts of sign-in",
    "counters in memory, without Redis",
    maxCounters,
    "further ones share counters",
  ),
  limit(hashed, "comparisons at once", maxConcurrentComparisons, "they wait, then 503"),
  limit(hashed, "comparisons waiting", comparisonsWaiting, "503"),
  limit(hashed, "comparisons of one network waiting", comparisonsWaitingPerAddress, "503"),
  ...oauth2Limits,
  ...ldapLimits,
  limit("sign-in", "path to return to, UTF-16 units", longestReturn, "the start page instead"),
  limit("tokens", "token, UTF-16 units", longestToken, "401"),
  limit("sessions", "ids of one request", maxSessionIds, "the others are ignored"),
  limit("sessions", "of one user", { key: "session.max-per-user" }, "the oldest end"),
  limit("sessions", "in memory", maxMemorySessions, "the least recently used end"),
];
