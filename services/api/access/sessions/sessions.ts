import { Buffer } from "node:buffer";
import { z } from "zod";
import { memoryCache } from "#cache/memory.ts";
import type { CacheCommands } from "#cache/port.ts";
import type { Clock } from "#kit/clock.ts";
import { digestOf } from "#kit/secret.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { CredentialUse } from "#platform/operations/access.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { type CredentialOf, isStamped, stampOf } from "#services/api/access/sign-in/credentials.ts";
import type { SignedIn } from "#services/api/access/sign-in/port.ts";

interface SessionOptions {
  store: SessionStore;
  clock: Clock;
  /** Milliseconds without a request after which a session ends. */
  idleMs: number;
  /** Milliseconds after which a session ends however much it is used. */
  absoluteMs: number;
  /** Maximum number of sessions of one user; beyond it the oldest end. */
  maxPerUser?: number;
  /** By default of nobody: then a session outlives a change of the password. */
  credentialOf?: CredentialOf;
}

/** Keeps sessions by the digest of their id. Every command rejects with 503 while it cannot be carried out. */
interface SessionStore {
  read(key: string): Promise<string | null>;
  write(key: string, content: string, ttlMs: number): Promise<void>;
  /** As `write`, but a session that has ended meanwhile stays ended. */
  renew(key: string, content: string, ttlMs: number): Promise<void>;
  remove(key: string): Promise<void>;
}

const Content = z.object({
  username: z.string(),
  provider: z.string(),
  admin: z.boolean(),
  idToken: z.string().optional(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  seenAt: z.number(),
  /** Of the user's password, in hexadecimal. */
  stamp: z.string().optional(),
});
type Content = z.output<typeof Content>;

/** How long a session may be used before its store hears of it, milliseconds. */
const refreshMs = 60_000;

/**
 * Sessions of people who signed in. A session is known by a random id (256 bits), which only the browser holds; the
 * store holds its SHA-256.
 */
export class Sessions {
  readonly #ofUser: SessionsOfUser;

  constructor(private readonly options: SessionOptions) {
    const { store, maxPerUser = 50, absoluteMs } = options;
    this.#ofUser = new SessionsOfUser(store, maxPerUser, absoluteMs);
  }

  /** Starts a session; returns its id. */
  async begin(user: SignedIn): Promise<string> {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
    const now = this.options.clock.now();
    const { username, provider, admin, idToken } = user;
    await this.#keep("write", keyOf(id), {
      username,
      provider,
      admin,
      idToken,
      startedAt: now,
      seenAt: now,
      stamp: this.#stamp(id, user),
    });
    await this.#ofUser.add(user, keyOf(id));
    return id;
  }

  /**
   * The user of a session; undefined when it is unknown, has ended, or the password was changed. Watching a session
   * does not use it: it ends as if nobody had. Throws 503 when its store is down.
   */
  async find(id: string, use: CredentialUse = "request"): Promise<SignedIn | undefined> {
    const key = keyOf(id);
    const text = await this.options.store.read(key);
    if (text === null) return undefined;
    const content = parseStored(Content, text);
    const now = this.options.clock.now();
    if (!content || this.#left(content, now) <= 0) return undefined;
    if (content.stamp !== undefined && !this.#isSame(content.stamp, id, content)) {
      await this.end(id);
      return undefined;
    }
    const pause = Math.min(refreshMs, this.options.idleMs / 10);
    if (use === "request" && now - content.seenAt >= pause) {
      await this.#keep("renew", key, { ...content, seenAt: now, stamp: this.#stamp(id, content) });
    }
    return content;
  }

  /** Ends a session, here and on every replica. */
  async end(id: string): Promise<void> {
    await this.options.store.remove(keyOf(id));
  }

  #stamp(id: string, user: Person): string | undefined {
    const stamp = stampOf(id, this.options.credentialOf?.(user));
    return stamp && Buffer.from(stamp).toString("hex");
  }

  #isSame(stamp: string, id: string, user: Person): boolean {
    return isStamped(Buffer.from(stamp, "hex"), id, this.options.credentialOf?.(user));
  }

  /** Milliseconds until a session ends unless it is used. */
  #left({ startedAt, seenAt }: Content, now: number): number {
    const { idleMs, absoluteMs } = this.options;
    return Math.min(seenAt + idleMs, startedAt + absoluteMs) - now;
  }

  async #keep(how: "write" | "renew", key: string, content: Content): Promise<void> {
    const left = Math.max(1, this.#left(content, content.seenAt));
    await this.options.store[how](key, JSON.stringify(content), left);
  }
}

const keyOf = (id: string) => Buffer.from(digestOf(id)).toString("hex");

const Begun = z.object({ keys: z.array(z.string()) });

/**
 * Which sessions each user has begun, the newest last, so that nobody has more than a number of them. Kept in the store
 * of the sessions, under a key that no id of a session leads to.
 */
class SessionsOfUser {
  /** The last change of each user's list: they are made one after the other. */
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: SessionStore,
    private readonly max: number,
    private readonly ttlMs: number,
  ) {}

  /** Notes a new session; ends those of the user that were begun before the newest `max`. */
  async add(user: Person, key: string): Promise<void> {
    const list = keyOfUser(user);
    const before = this.#changes.get(list) ?? Promise.resolve();
    const change = before.catch(() => {}).then(() => this.#add(list, key));
    this.#changes.set(list, change);
    try {
      await change;
    } finally {
      if (this.#changes.get(list) === change) this.#changes.delete(list);
    }
  }

  async #add(list: string, key: string): Promise<void> {
    const text = await this.store.read(list);
    const begun = text === null ? [] : parseStored(Begun, text)?.keys ?? [];
    const keys = [...begun, key];
    const surplus = keys.splice(0, Math.max(0, keys.length - this.max));
    for (const one of surplus) await this.store.remove(one);
    await this.store.write(list, JSON.stringify({ keys }), this.ttlMs);
  }
}

const keyOfUser = ({ provider, username }: Person) =>
  Buffer.from(digestOf(JSON.stringify(["sessions of", provider, username]))).toString("hex");

/** Name of the session cookie, as published. */
const cookieName = "SESSION";

/** An id that a session may have; anything else is not looked up. */
const idForm = /^[A-Za-z0-9_-]{43}$/;

/** Maximum number of ids of one request that are looked at. */
export const maxSessionIds = 5;

/**
 * The session id of a request; undefined when it has none that could be one, and when it has several: a neighbour of
 * this host may have planted one of them, so that its user acts in the neighbour's name.
 */
export function sessionIdOf(headers: Headers): string | undefined {
  const [id, ...others] = sessionIdsOf(headers);
  return others.length === 0 ? id : undefined;
}

/** Every session id of a request, for ending them. */
export function sessionIdsOf(headers: Headers): string[] {
  const given = cookiesOf(headers, cookieName).map((value) => value.replace(/^"([^"]*)"$/, "$1"));
  return [...new Set(given.filter((id) => idForm.test(id)))].slice(0, maxSessionIds);
}

/** The values of all cookies of this name that a request has. */
export function cookiesOf(headers: Headers, name: string): string[] {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** How the cookie is sent. `secure`: over TLS only. */
interface CookieOptions {
  secure: boolean;
  maxAgeSeconds: number;
}

/** `Set-Cookie` of what scripts cannot read. It never goes with requests that pages of other sites make, but for links. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const { secure, maxAgeSeconds } = options;
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${Math.floor(maxAgeSeconds)}`];
  return [`${name}=${value}`, ...attributes, ...(secure ? ["Secure"] : [])].join("; ");
}

/** `Set-Cookie` of a session. */
export const sessionCookie = (id: string, options: CookieOptions): string =>
  setCookie(cookieName, id, options);

/** `Set-Cookie` that makes a browser forget its session. */
export const endedCookie = (secure: boolean) => sessionCookie("", { secure, maxAgeSeconds: 0 });

/** Maximum number of sessions in memory; beyond it those used longest ago end. */
export const maxMemorySessions = 100_000;

/** Where sessions are stored by default: Redis where it is configured, so that replicas share them. */
export function sessionProvider({ session, cache }: Config) {
  return session.provider ?? (cache.redis.url ? "REDIS" : "IN_MEMORY");
}

/** The store that `session.provider` names. */
export function sessionStore(context: Context): SessionStore {
  const { config, cache, db, metrics, clock } = context;
  const provider = sessionProvider(config);
  if (provider === "INTERNAL_POSTGRESQL") return databaseStore(db, clock);
  if (provider === "REDIS") return cached(cache.strict);
  const maxCharacters = maxMemorySessions * 1_000;
  return cached(
    memoryCache({ metrics, clock, maxEntries: maxMemorySessions, maxCharacters, name: "sessions" }),
  );
}

function cached(commands: CacheCommands): SessionStore {
  const at = (key: string) => `session:${key}`;
  return {
    read: (key) => commands.get(at(key)),
    write: (key, content, ttlMs) => commands.set(at(key), content, ttlMs),
    renew: (key, content, ttlMs) => commands.replace(at(key), content, ttlMs),
    remove: (key) => commands.delete(at(key)),
  };
}

/** Sessions in PostgreSQL (`session.provider` INTERNAL_POSTGRESQL). Housekeeping removes those that have ended. */
export function databaseStore(db: Database, clock: Clock): SessionStore {
  const digest = (key: string) => Buffer.from(key, "hex");
  return {
    async read(key) {
      const rows = await db.query(readSession, [digest(key), new Date(clock.now())]);
      return rows[0]?.content ?? null;
    },
    async write(key, content, ttlMs) {
      await db.query(writeSession, [digest(key), content, new Date(clock.now() + ttlMs)]);
    },
    async renew(key, content, ttlMs) {
      await db.query(renewSession, [digest(key), content, new Date(clock.now() + ttlMs)]);
    },
    async remove(key) {
      await db.query(removeSession, [digest(key)]);
    },
  };
}

const readSession = statement<{ content: string }>("session-read")`
  SELECT content FROM session WHERE id_digest = $1 AND expires_at > $2`;

const writeSession = statement("session-write")`
  INSERT INTO session (id_digest, content, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (id_digest) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at`;

const renewSession = statement("session-renew")`
  UPDATE session SET content = $2, expires_at = $3 WHERE id_digest = $1`;

const removeSession = statement("session-remove")`DELETE FROM session WHERE id_digest = $1`;

/**
 * A stored value, parsed by its schema; undefined for an invalid one, such as that of another release:
 * it must be as if it were not there, not a failure for as long as it is stored.
 */
export function parseStored<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
