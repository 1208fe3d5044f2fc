import { systemClock } from "#kit/clock.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Ldap } from "#platform/config/ldap.ts";
import type { Context } from "#platform/context.ts";
import {
  type Connection,
  directoryAt,
  type DirectoryEntry,
} from "#services/api/access/ldap/connection.ts";
import {
  asSearcher,
  baseOf,
  filled,
  filterValue,
  finderOf,
  nameAttribute,
  under,
} from "#services/api/access/ldap/people.ts";
import {
  type AttemptOrigin,
  type SignedIn,
  type SignInMode,
  unknownOrigin,
} from "#services/api/access/sign-in/port.ts";

/** UTF-16 units of a name or password that is taken to the directory. */
export const longestName = 255;
const longestPassword = 1_000;
/** Checks that talk to the directory at once, and those that wait for their turn. */
export const maxConcurrentChecks = 16;
const checksWaiting = 200;
const checksWaitingPerAddress = 20;
/** Failures are answered at multiples of this, milliseconds. */
export const failuresEveryMs = 500;
/** Groups of one user that are looked at. */
const maxGroups = 1_000;

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

/** Name of the provider of people who sign in by LDAP. */
const ldapProvider = "ldap";

/** Milliseconds that a check waits for its turn. */
const turnTimeout = 5_000;

type LdapDeps = Pick<Context, "config" | "log" | "metrics"> & Partial<Pick<Context, "clock">>;

/** Sign-in by a directory. Throws when the file of its certificate authority cannot be read. */
export function ldapMode(
  { config, log, metrics, clock = systemClock }: LdapDeps,
): SignInMode {
  const directory = config.auth.ldap;
  const connect = directoryAt(directory);
  const checked = checkOf(directory, (why) => log.warn("sign-in by LDAP refused", { why }));
  const limiter = new ConcurrencyLimiter({
    concurrency: maxConcurrentChecks,
    maxWaiting: checksWaiting,
    maxWaitingPerKey: checksWaitingPerAddress,
    waitMs: turnTimeout,
    refused: "Too many people sign in at once",
    waiting: metrics.gauge(
      "tributary_ldap_checks_waiting",
      "Password checks waiting for LDAP",
    ),
  });
  return {
    passwords: {
      async check(username, password, from = unknownOrigin) {
        const since = performance.now();
        const name = username.trim();
        const user = mayBe(name, password)
          ? await limiter.run(
            () => connect((open) => checked(open, { name, password, from })),
            from.network,
          )
          : undefined;
        if (!user) await clock.sleep(untilNext(failuresEveryMs, performance.now() - since));
        return user;
      },
    },
    links: [],
    pages: [],
    providers: [ldapProvider],
    knows: ({ provider }) => provider === ldapProvider,
  };
}

/**
 * Milliseconds until a multiple of `everyMs` has passed. A directory answers faster for a name that it does not know, since it
 * compares no password; answered at such times, that does not show.
 */
const untilNext = (everyMs: number, passedMs: number) => everyMs - passedMs % everyMs;

/**
 * Whether a directory can know such a name and password. One without a password would be let in by a directory as
 * nobody (RFC 4513, section 5.1.2).
 */
function mayBe(name: string, password: string): boolean {
  const isName = name !== "" && name.length <= longestName && !/\p{Cc}/u.test(name);
  return isName && name.isWellFormed() && password !== "" && password.length <= longestPassword;
}

/** A name and a password, and where they come from. */
interface Credentials {
  name: string;
  password: string;
  from: AttemptOrigin;
}

/** The check of one name and password; `refused` is called with the reason why a user with the right password cannot sign in. */
function checkOf(config: Ldap, refused: (why: string) => void) {
  const find = finderOf(config);
  const attribute = nameAttribute(config);
  // The directory takes many spellings of a name; what it holds itself is one.
  const nameOf = ({ values }: DirectoryEntry) => [...values.get(attribute) ?? []].sort()[0] ?? "";
  const usernameOf = (entry: DirectoryEntry) => nameOf(entry).trim().toLowerCase();
  return async (connection: Connection, given: Credentials): Promise<SignedIn | undefined> => {
    const known = async (entry: DirectoryEntry) => {
      const username = usernameOf(entry);
      return username === "" || await given.from.isFurtherName(username);
    };
    const entry = await find(connection, {
      ...given,
      known,
      isFurtherName: (name) => given.from.isFurtherName(name),
    });
    if (!entry) return undefined;
    const username = usernameOf(entry);
    if (!mayBe(username, given.password)) {
      refused(`an entry has no ${attribute} that could be a name`);
      return undefined;
    }
    const admin = await isAdministrator(connection, config, { entry, name: nameOf(entry) });
    return { username, provider: ldapProvider, admin };
  };
}

const usualFilter = "(|(member={0})(uniqueMember={0}))";

/** Whether a user is in one of the groups of administrators; nested groups are what the filter makes of them. */
async function isAdministrator(
  connection: Connection,
  config: Ldap,
  person: { entry: DirectoryEntry; name: string },
): Promise<boolean> {
  const wanted = config.groups["admin-groups"].map((name) => name.toLowerCase());
  if (wanted.length === 0) return false;
  const base = under(config.groups["search-base"], baseOf(config));
  const names = config["active-directory"].enabled && !config.groups.filter
    ? memberships(person.entry, base)
    : await searched(connection, config, base, person);
  return names.some((name) => wanted.includes(name.toLowerCase()));
}

async function searched(
  connection: Connection,
  config: Ldap,
  base: string,
  { entry, name }: { entry: DirectoryEntry; name: string },
): Promise<string[]> {
  await asSearcher(connection, config);
  const filter = config.groups.filter ?? usualFilter;
  const found = await connection.search({
    base,
    filter: filled(filter, [filterValue(entry.dn), filterValue(name)]),
    attributes: ["cn"],
    max: maxGroups,
  });
  if (!found) throw new Error(`a user is in more than ${maxGroups} groups`);
  return found.flatMap(({ values }) => values.get("cn") ?? []);
}

/** Names of the groups listed in an entry itself; another unit may have groups of the same names. */
function memberships({ values }: DirectoryEntry, base: string): string[] {
  const all = values.get("memberof") ?? [];
  return all.filter((dn) => under(dn, base) === dn).slice(0, maxGroups).map(firstValue);
}

/** `Data admins` of `CN=Data admins,OU=Groups,DC=corp,DC=example`. */
function firstValue(dn: string): string {
  const [, value = ""] = /^[^=]*=((?:\\.|[^,\\+])*)/.exec(dn) ?? [];
  return value.replace(/\\([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\(.)/g, "$1");
}
