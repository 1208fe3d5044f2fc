/** Keeps sessions by the digest of their id. Every command rejects with 503 while it cannot be carried out. */
export interface SessionStore {
  read(key: string): Promise<string | null>;
  write(key: string, content: string, ttlMs: number): Promise<void>;
  /** As `write`, but a session that has ended meanwhile stays ended. */
  renew(key: string, content: string, ttlMs: number): Promise<void>;
  remove(key: string): Promise<void>;
}
