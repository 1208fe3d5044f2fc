import { Redis } from "ioredis";
import type { Cache, CacheCommands, Counters, OwnedValues } from "#cache/port.ts";
import { engineFailure, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { backoff, withTimeout } from "#kit/retry.ts";

interface RedisCacheOptions {
  /** `redis://` or `rediss://`. */
  url: string;
  /** PEM of the certificate authority for `rediss://`, when the system does not trust it. */
  ca?: string;
  /** Prefix of every key: `<instance>:`. */
  prefix: string;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds after which a command counts as failed. */
  commandTimeoutMs?: number;
}

// Runs in one round trip, so that a counter is never left without an expiry.
const increment = `
  local value = redis.call('INCR', KEYS[1])
  if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return value`;

// By the clock of Redis, which all processes share.
const nextTurn = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local last = tonumber(redis.call('GET', KEYS[1]) or '0')
  local at = math.max(now, last) + tonumber(ARGV[1])
  redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', at - now + 1000)
  return at - now`;

/**
 * A cache in Redis. A command that fails or is late counts as a miss (a write is lost, an increment counts as
 * the first), and is counted in `tributary_cache_failures_total`.
 */
export function redisCache(options: RedisCacheOptions): Cache {
  const timeout = options.commandTimeoutMs ?? 500;
  const { redis, lost } = connect(options, timeout);
  const failures = options.metrics.counter(
    "tributary_cache_failures_total",
    "Cache commands that failed and were treated as a miss",
    ["command"],
  );
  const attempt: Attempt = async (command, work, otherwise) => {
    try {
      return await work;
    } catch {
      failures.inc({ command });
      return otherwise;
    }
  };
  const insist: Attempt = async (command, work) => {
    try {
      return await work;
    } catch (error) {
      failures.inc({ command });
      throw unavailable("The cache does not answer", 5, engineFailure("Redis", lost() ?? error));
    }
  };
  return {
    ...commandsOf(redis, attempt),
    engine: "redis",
    strict: commandsOf(redis, insist),
    counters: countersOf(redis, insist),
    owned: ownedOf(commandsOf(redis, insist)),
    clear: () => insist("clear", removeAll(redis, options.prefix), undefined),
    async ping(timeoutMs) {
      const late = () => unavailable("The cache does not answer");
      await withTimeout(redis.ping(), timeoutMs, late).catch((error) => {
        // Without a connection the client's error says only that, so the cause of the loss is reported.
        throw unavailable("The cache does not answer", 5, engineFailure("Redis", lost() ?? error));
      });
    },
    async version(timeoutMs) {
      const late = () => unavailable("The cache does not answer");
      const info = await withTimeout(redis.info("server"), timeoutMs, late);
      return /\bredis_version:([\w.-]{1,40})/.exec(info)?.[1] ?? "unknown";
    },
    close: () => Promise.resolve(redis.disconnect()),
  };
}

/** Keys that are looked at in one step. */
const scanned = 1_000;

async function removeAll(redis: Redis, prefix: string): Promise<void> {
  const pattern = `${prefix.replaceAll(/[*?[\]\\]/g, "\\$&")}*`;
  for (let cursor = "0", isFirst = true; isFirst || cursor !== "0"; isFirst = false) {
    const [next, keys] = await redis.scan(cursor, "MATCH", pattern, "COUNT", scanned);
    cursor = next;
    // The client puts the prefix before every key that it is given.
    if (keys.length > 0) await redis.unlink(keys.map((key) => key.slice(prefix.length)));
  }
}

/** Decides what becomes of a command that fails. */
type Attempt = <T>(command: string, work: Promise<T>, otherwise: T) => Promise<T>;

function commandsOf(redis: Redis, attempt: Attempt): CacheCommands {
  return {
    get: (key) => attempt("get", redis.get(key), null),
    set: (key, value, ttlMs) =>
      attempt("set", redis.set(key, value, "PX", Math.ceil(ttlMs)).then(() => {}), undefined),
    replace: (key, value, ttlMs) =>
      attempt(
        "replace",
        redis.set(key, value, "PX", Math.ceil(ttlMs), "XX").then(() => {}),
        undefined,
      ),
    delete: (key) => attempt("delete", redis.del(key).then(() => {}), undefined),
    take: (key) => attempt("take", redis.getdel(key), null),
    increment: (key, ttlMs) =>
      attempt("increment", redis.eval(increment, 1, key, Math.ceil(ttlMs)).then(Number), 1),
  };
}

/** Counters expire, and are never evicted where Redis has the policy `noeviction`. */
function countersOf(redis: Redis, insist: Attempt): Counters {
  const { get, increment, delete: remove } = commandsOf(redis, insist);
  const at = (key: string) => `counter:${key}`;
  return {
    read: async (key) => Number(await get(at(key))),
    increment: (key, ttlMs) => increment(at(key), ttlMs),
    clear: (key) => remove(at(key)),
    nextTurn: (key, everyMs) =>
      insist(
        "nextTurn",
        redis.eval(nextTurn, 1, `turn:${key}`, Math.ceil(everyMs)).then(Number),
        0,
      ),
  };
}

/** Each address may begin only so often (`countStart`), and every value has its time; nothing is evicted (`noeviction`). */
function ownedOf({ set, take }: CacheCommands): OwnedValues {
  const at = (key: string) => `owned:${key}`;
  return {
    put: (_owner, key, value, ttlMs) => set(at(key), value, ttlMs),
    take: (key) => take(at(key)),
  };
}

function connect({ url, ca, prefix, log }: RedisCacheOptions, timeout: number) {
  const redis = new Redis(url, {
    keyPrefix: prefix,
    ...(ca ? { tls: { ca } } : {}),
    commandTimeout: timeout,
    connectTimeout: 3_000,
    // While Redis is down every read misses at once; no command waits for a reconnection.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => backoff(attempt, { initial: 100, max: 2_000 }),
  });
  let lost: Error | null = null;
  redis.on("ready", () => {
    if (lost) log.info("cache is back");
    lost = null;
  });
  redis.on("error", (error) => {
    if (!lost) log.warn("cache is unavailable", { error: engineFailure("Redis", error) });
    lost = error;
  });
  return { redis, lost: () => lost };
}
