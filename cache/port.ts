export interface CacheCommands {
  get(key: string): Promise<string | null>;
  /** `ttlMs` is at least 1. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** As `set`, but only where the key has a value. */
  replace(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Reads and deletes in one step: of several callers one gets the value. */
  take(key: string): Promise<string | null>;
  /** Adds one to a counter that expires `ttlMs` after its first increment; returns the new value. */
  increment(key: string, ttlMs: number): Promise<number>;
}

/**
 * Counters of attempts, by which people and programs are refused. None is evicted: a count may be too high, never too
 * low. Every command rejects with 503 while the engine is down. A counter expires `ttlMs` after its first increment.
 */
export interface Counters {
  /** 0 for a counter that does not exist. */
  read(key: string): Promise<number>;
  /** Adds one; the new count. */
  increment(key: string, ttlMs: number): Promise<number>;
  clear(key: string): Promise<void>;
  /**
   * Takes the next turn of a key, of which one comes every `everyMs` milliseconds on all processes together; the
   * milliseconds until then, at least `everyMs`. Absent where processes share nothing: then each has turns of its own.
   */
  nextTurn?(key: string, everyMs: number): Promise<number>;
}

/**
 * Values that strangers leave for a while, such as their way to an identity provider: a store of their own, in which each
 * owner (a network) has its share, so that nobody pushes out what others have left. Commands reject with 503 while the
 * engine is down.
 */
export interface OwnedValues {
  /** Keeps a value; of an owner with too many, the oldest is forgotten. */
  put(owner: string, key: string, value: string, ttlMs: number): Promise<void>;
  /** Reads and deletes in one step. */
  take(key: string): Promise<string | null>;
}

/**
 * A cache: values may be lost at any time, which costs time but never correctness. An engine that is down
 * behaves like an empty cache and counts that in its metrics; only `ping` and `strict` reject.
 */
export interface Cache extends CacheCommands {
  readonly engine: "redis" | "memory";
  /** The same commands, which reject with 503 while the engine is down: for sessions, whose absence is an answer. */
  readonly strict: CacheCommands;
  /** For limits on guessing: a store of their own, which no value of the cache can fill. */
  readonly counters: Counters;
  readonly owned: OwnedValues;
  /** Forgets every value of this instance: sessions, counters and what strangers left. Rejects with 503 while the engine is down. */
  clear(): Promise<void>;
  ping(timeoutMs: number): Promise<void>;
  /** Release of the engine; absent where there is none. */
  version?(timeoutMs: number): Promise<string>;
  close(): Promise<void>;
}
