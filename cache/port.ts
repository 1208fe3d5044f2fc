/** Commands of a cache. */
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
 * A cache: values may be lost at any time, which costs time but never correctness. An engine that is down
 * behaves like an empty cache and counts that in its metrics; only `ping` and `strict` reject.
 */
export interface Cache extends CacheCommands {
  readonly engine: "redis" | "memory";
  /** The same commands, which reject with 503 while the engine is down: for sessions, whose absence is an answer. */
  readonly strict: CacheCommands;
  ping(timeoutMs: number): Promise<void>;
  /** Release of the engine; absent where there is none. */
  version?(timeoutMs: number): Promise<string>;
  close(): Promise<void>;
}
