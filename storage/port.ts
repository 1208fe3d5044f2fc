/**
 * Stores objects: bytes under a generated key, a UUID. Objects are small enough to be held in memory whole, and never
 * change. Rejects when the engine cannot do it now, which says nothing about whether it was done.
 */
export interface ObjectStorage {
  readonly engine: "local" | "s3";
  /** Once this resolves the object is there, whole, even after a crash; before that, nothing is read of it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The whole object; null when the key is unknown. */
  get(key: string): Promise<Uint8Array | null>;
  /** Removes an object and whatever an interrupted `put` left of it; does nothing when there is none. */
  delete(key: string): Promise<void>;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws for a key that is no UUID, so that nothing else can ever become a path or a URL. */
export function requireKey(key: string): string {
  if (uuid.test(key)) return key;
  throw new Error("The key of an object must be a UUID");
}
