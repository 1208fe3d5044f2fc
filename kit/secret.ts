import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a secret. Sufficient for random secrets only; users' passwords need a slow hash. */
export function digestOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

/** Compares two digests in constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
