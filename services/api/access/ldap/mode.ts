import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Ldap } from "#platform/config/ldap.ts";
import type { Context } from "#platform/context.ts";
import { type Connection, directoryAt } from "#services/api/access/ldap/connection.ts";
import { isAdministrator } from "#services/api/access/ldap/groups.ts";
import {
  checksAtOnce,
  checksWaiting,
  longestName,
  longestPassword,
} from "#services/api/access/ldap/limits.ts";
import { finderOf, nameAttribute } from "#services/api/access/ldap/people.ts";
import type { SignedIn, SignInMode } from "#services/api/access/sign-in/port.ts";

/** Name of the provider of people who sign in by LDAP. */
export const ldapProvider = "ldap";

/** Milliseconds that a check waits for its turn. */
const turnTimeout = 5_000;

/** Sign-in by a directory. Throws when the file of its certificate authority cannot be read. */
export function ldapMode(
  { config, log, metrics }: Pick<Context, "config" | "log" | "metrics">,
): SignInMode {
  const directory = config.auth.ldap;
  const connect = directoryAt(directory);
  const checked = checkOf(directory, (why) => log.warn("sign-in by LDAP refused", { why }));
  const limiter = new ConcurrencyLimiter({
    atOnce: checksAtOnce,
    maxWaiting: checksWaiting,
    waitMs: turnTimeout,
    refused: "Too many people sign in at once",
    waiting: metrics.gauge(
      "tributary_ldap_checks_waiting",
      "Checks of passwords that wait for LDAP",
    ),
  });
  return {
    passwords: {
      async check(username, password) {
        const name = username.trim();
        if (!mayBe(name, password)) return undefined;
        return await limiter.run(() => connect((open) => checked(open, name, password)));
      },
    },
    links: [],
    pages: [],
    providers: [ldapProvider],
    knows: ({ provider }) => provider === ldapProvider,
  };
}

/**
 * Whether a directory can know such a name and password. One without a password would be let in by a directory as
 * nobody (RFC 4513, section 5.1.2).
 */
function mayBe(name: string, password: string): boolean {
  const isName = name !== "" && name.length <= longestName && !/\p{Cc}/u.test(name);
  return isName && name.isWellFormed() && password !== "" && password.length <= longestPassword;
}

/** The check of one name and password; `refused` is told why somebody cannot sign in whose password is right. */
function checkOf(config: Ldap, refused: (why: string) => void) {
  const find = finderOf(config);
  const attribute = nameAttribute(config);
  return async (
    connection: Connection,
    given: string,
    password: string,
  ): Promise<SignedIn | undefined> => {
    const entry = await find(connection, given, password);
    if (!entry) return undefined;
    // The directory takes many spellings of a name; what it holds itself is one.
    const [name = ""] = [...entry.values.get(attribute) ?? []].sort();
    const username = name.trim().toLowerCase();
    if (!mayBe(username, password)) {
      refused(`an entry has no ${attribute} that could be a name`);
      return undefined;
    }
    const admin = await isAdministrator(connection, config, { entry, name });
    return { username, provider: ldapProvider, admin };
  };
}
