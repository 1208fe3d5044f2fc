import { Buffer } from "node:buffer";
import { memoryCache } from "#cache/memory.ts";
import type { CacheCommands } from "#cache/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";

/** Keeps sessions by the digest of their id. Every command rejects with 503 while it cannot be carried out. */
export interface SessionStore {
  read(key: string): Promise<string | null>;
  write(key: string, content: string, ttlMs: number): Promise<void>;
  /** As `write`, but a session that has ended meanwhile stays ended. */
  renew(key: string, content: string, ttlMs: number): Promise<void>;
  remove(key: string): Promise<void>;
}

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

const read = statement<{ content: string }>("session-read")`
  SELECT content FROM session WHERE id_digest = $1 AND expires_at > $2`;

const write = statement("session-write")`
  INSERT INTO session (id_digest, content, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (id_digest) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at`;

const renew = statement("session-renew")`
  UPDATE session SET content = $2, expires_at = $3 WHERE id_digest = $1`;

const remove = statement("session-remove")`DELETE FROM session WHERE id_digest = $1`;

/** Sessions in PostgreSQL (`session.provider` INTERNAL_POSTGRESQL). Housekeeping removes those that have ended. */
export function databaseStore(db: Database, clock: Clock): SessionStore {
  const digest = (key: string) => Buffer.from(key, "hex");
  return {
    async read(key) {
      const rows = await db.query(read, [digest(key), new Date(clock.now())]);
      return rows[0]?.content ?? null;
    },
    async write(key, content, ttlMs) {
      await db.query(write, [digest(key), content, new Date(clock.now() + ttlMs)]);
    },
    async renew(key, content, ttlMs) {
      await db.query(renew, [digest(key), content, new Date(clock.now() + ttlMs)]);
    },
    async remove(key) {
      await db.query(remove, [digest(key)]);
    },
  };
}
