/**
 * A cache: values may be lost at any time, which costs time but never correctness. An engine that is down
 * behaves like an empty cache and counts that in its metrics; only `ping` rejects.
 */
export interface Cache {
  readonly engine: "redis" | "memory";
  get(key: string): Promise<string | null>;
  /** `ttlMs` is at least 1. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds one to a counter that expires `ttlMs` after its first increment; returns the new value. */
  increment(key: string, ttlMs: number): Promise<number>;
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
