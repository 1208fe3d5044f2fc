import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a secret. Sufficient for random secrets only; users' passwords need a slow hash. */
export function digestOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

/** Compares two digests in constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 40;
/**
 * The largest multiple of the alphabet's length within a byte's range. Random bytes at or above it
 * are dropped; otherwise some letters would be more likely.
 */
const fair = Math.floor(256 / alphabet.length) * alphabet.length;

/** A token: 40 random letters and digits from a cryptographically secure source. */
export function newToken(): string {
  let token = "";
  while (token.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && token.length < length) token += alphabet[byte % alphabet.length];
    }
  }
  return token;
}

/** The stored form of a token. */
interface StoredToken {
  /** SHA-256 of the token. */
  digest: Uint8Array;
  /** The last four characters of the token. */
  hint: string;
}

export function storedTokenOf(token: string): StoredToken {
  return { digest: digestOf(token), hint: token.slice(-4) };
}
