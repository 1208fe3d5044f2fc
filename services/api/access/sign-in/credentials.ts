import bcrypt from "bcryptjs";
import { createHmac } from "node:crypto";
import { unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { ThreadAbortedError } from "#kit/thread-aborted.ts";
import { ThreadPool } from "#kit/threads.ts";
import { shortestSecret } from "#platform/config/exposure.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { isFormAdministrator } from "#services/api/access/permissions/roles.ts";
import {
  type PasswordCheck,
  type SignInMode,
  unknownOrigin,
} from "#services/api/access/sign-in/port.ts";

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

/** A user of `auth.login-form-credentials`. */
interface FormUser {
  username: string;
  password: string;
  /** Whether the password is given as its bcrypt hash. */
  hashed: boolean;
}

/** The users of the configuration. A password may contain colons, but no comma. */
export function formUsers(config: Pick<Config, "auth">): FormUser[] {
  return config.auth["login-form-credentials"].split(",").map((pair) => {
    const [username = "", ...rest] = pair.trim().split(":");
    const password = rest.join(":");
    return { username, password, hashed: bcryptForm.test(password) };
  });
}

const bcryptForm = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/**
 * Names of users whose passwords should be given as hashes. A long one is a generated secret, as a token is: nobody guesses
 * it, and its user has it nowhere else.
 */
export function usersToHash(config: Pick<Config, "auth">): string[] {
  return formUsers(config)
    .filter(({ hashed, password }) => !hashed && password.length < shortestSecret)
    .map(({ username }) => username);
}

/** LOGIN_FORM: users of the configuration. `compare`: by default in a thread. */
export function loginForm(
  { config, metrics }: Pick<Context, "config" | "metrics">,
  compare: CompareHashes = hashComparison(metrics),
): SignInMode {
  const users = formUsers(config);
  const names = new Set(users.map(({ username }) => username));
  return {
    passwords: formPasswords(users, compare, (name) => isFormAdministrator(config, name)),
    links: [],
    pages: [],
    providers: [],
    knows: ({ username, provider }) => provider === "" && names.has(username),
  };
}

/** Characters of a password that are looked at; bcrypt itself takes 72 bytes. */
export const longestPassword = 1_000;

function formPasswords(
  users: FormUser[],
  compare: CompareHashes,
  isAdministrator: (name: string) => boolean,
): PasswordCheck {
  const known = new Map(users.map((user) => [user.username, user]));
  // Every password is compared with one hash of each cost, so that the response time does not reveal which users exist.
  const ofEachCost = new Map(
    users.filter(({ hashed }) => hashed)
      .map(({ password }) => [bcrypt.getRounds(password), password]),
  );
  return {
    async check(username, password, { network } = unknownOrigin) {
      if (password.length > longestPassword) return undefined;
      const user = known.get(username);
      const plain = user && !user.hashed ? user.password : "";
      const same = sameDigest(digestOf(plain), digestOf(password)) && plain !== "";
      const hashes = new Map(ofEachCost);
      if (user?.hashed) hashes.set(bcrypt.getRounds(user.password), user.password);
      const matching = await compare({ password, hashes: [...hashes.values()] }, network);
      return same || (user?.hashed && matching.includes(user.password))
        ? { username, provider: "", admin: isAdministrator(username) }
        : undefined;
    },
  };
}

/** A password, and the bcrypt hashes to compare it with. */
export interface HashJob {
  password: string;
  hashes: string[];
}

/**
 * The hashes that a password has. `from`: the network of the client, whose share of the queue is used. Throws
 * `QueueFullError`, and 503 when a comparison does not end.
 */
export type CompareHashes = (job: HashJob, from: string) => Promise<string[]>;

/** Comparisons at once, each in a thread of its own: one comparison takes a processor for tenths of a second. */
export const maxConcurrentComparisons = 1;
/** Comparisons that wait, in all and of one address. */
export const comparisonsWaiting = 50;
export const comparisonsWaitingPerAddress = 5;
/** Milliseconds that a comparison waits for its turn. */
const turnMs = 10_000;
/** Milliseconds that a comparison may take. */
const deadlineMs = 30_000;
/** Milliseconds without a sign-in after which the thread ends. */
const idleMs = 60_000;

/** Compares passwords with hashes in a thread, so that nobody's sign-in stops the requests of others. */
export function hashComparison(metrics: Metrics): CompareHashes {
  const threads = new ThreadPool<HashJob, string[]>({
    name: "passwords",
    script: new URL("./hash-thread.ts", import.meta.url),
    metrics,
    threads: maxConcurrentComparisons,
    maxQueued: comparisonsWaiting,
    deadlineMs,
    heapMb: 128,
    idleMs,
  });
  const turns = new ConcurrencyLimiter({
    concurrency: maxConcurrentComparisons,
    maxWaiting: comparisonsWaiting,
    maxWaitingPerKey: comparisonsWaitingPerAddress,
    waitMs: turnMs,
    refused: "Too many people sign in at once",
    waiting: metrics.gauge(
      "tributary_form_checks_waiting",
      "Password checks of LOGIN_FORM waiting for their turn",
    ),
  });
  return async (job, from) => {
    if (job.hashes.length === 0) return [];
    try {
      return await turns.run(() => threads.run(job), from);
    } catch (error) {
      if (error instanceof ThreadAbortedError) {
        throw unavailable("The password was not checked in time");
      }
      throw error;
    }
  };
}
