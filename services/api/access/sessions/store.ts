import { memoryCache } from "#cache/memory.ts";
import type { CacheCommands } from "#cache/port.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { SessionStore } from "#services/api/access/sessions/port.ts";
import { databaseStore } from "#services/api/access/sessions/database-store.ts";

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
