import bcrypt from "bcryptjs";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { PasswordCheck, SignInMode } from "#services/api/access/sign-in/port.ts";

/** A user of `auth.login-form-credentials`. */
export interface FormUser {
  username: string;
  password: string;
  /** Whether the password is given as its bcrypt hash. */
  hashed: boolean;
}

const bcryptForm = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** The users of the configuration. A password may contain colons, but no comma. */
export function formUsers(config: Pick<Config, "auth">): FormUser[] {
  return config.auth["login-form-credentials"].split(",").map((pair) => {
    const [username = "", ...rest] = pair.trim().split(":");
    const password = rest.join(":");
    return { username, password, hashed: bcryptForm.test(password) };
  });
}

/** Hashes are compared one at a time: the library shares the thread that answers requests. */
export const comparedAtOnce = 1;
export const comparisonsWaiting = 50;
/** Milliseconds that a comparison waits for its turn. */
const turnTimeout = 5_000;

/** LOGIN_FORM: users of the configuration, each of them an administrator. */
export function loginForm({ config, metrics }: Pick<Context, "config" | "metrics">): SignInMode {
  const users = formUsers(config);
  const names = new Set(users.map(({ username }) => username));
  const turns = new ConcurrencyLimiter({
    atOnce: comparedAtOnce,
    maxWaiting: comparisonsWaiting,
    waitMs: turnTimeout,
    refused: "Too many people sign in at once",
    waiting: metrics.gauge(
      "tributary_form_checks_waiting",
      "Checks of passwords of LOGIN_FORM that wait for their turn",
    ),
  });
  return {
    passwords: formPasswords(users, turns),
    links: [],
    pages: [],
    providers: [],
    knows: ({ username, provider }) => provider === "" && names.has(username),
  };
}

/** Characters of a password that are looked at; bcrypt itself takes 72 bytes. */
export const longestPassword = 1_000;

function formPasswords(users: FormUser[], turns: ConcurrencyLimiter): PasswordCheck {
  const known = new Map(users.map((user) => [user.username, user]));
  // Every password is compared with one hash of each cost, so that the time of an answer does not tell who exists.
  const ofEachCost = new Map(
    users.filter(({ hashed }) => hashed).map((
      { password },
    ) => [bcrypt.getRounds(password), password]),
  );
  return {
    async check(username, password) {
      if (password.length > longestPassword) return undefined;
      const user = known.get(username);
      const plain = user && !user.hashed ? user.password : "";
      const same = sameDigest(digestOf(plain), digestOf(password)) && plain !== "";
      const hashes = new Map(ofEachCost);
      if (user?.hashed) hashes.set(bcrypt.getRounds(user.password), user.password);
      const matching = await turns.run(() => matchingOf(password, hashes.values()));
      return same || (user?.hashed && matching.has(user.password))
        ? { username, provider: "", admin: true }
        : undefined;
    },
  };
}

/** The hashes that a password has; all are compared. */
async function matchingOf(password: string, hashes: Iterable<string>): Promise<Set<string>> {
  const matching = new Set<string>();
  for (const hash of hashes) if (await bcrypt.compare(password, hash)) matching.add(hash);
  return matching;
}
