/**
 * Values that may be lost at any time: losing one costs time, never truth. An engine that is down
 * behaves like an empty cache and says so in its metrics; no call here rejects but `ping`.
 */
export interface Cache {
  readonly engine: "redis" | "memory";
  get(key: string): Promise<string | null>;
  /** `ttlMs` is at least 1. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds one to a counter that ends `ttlMs` after its first increment; returns the new value. */
  increment(key: string, ttlMs: number): Promise<number>;
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
