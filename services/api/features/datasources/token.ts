const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 40;
/**
 * The largest multiple of the alphabet's length within a byte's range. Random bytes at or above it
 * are dropped; otherwise some letters would be more likely.
 */
const fair = Math.floor(256 / letters.length) * letters.length;

/** A token: 40 random letters and digits from a cryptographically secure source. */
export function newToken(): string {
  let token = "";
  while (token.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && token.length < length) token += letters[byte % letters.length];
    }
  }
  return token;
}
