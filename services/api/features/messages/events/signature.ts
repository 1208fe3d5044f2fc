import { createHmac, timingSafeEqual } from "node:crypto";

/** Milliseconds by which the time of a signature may be off; what is older may be a replay. */
export const signatureAgeMs = 300_000;

const signed = /^v0=([0-9a-f]{64})$/;

/** The signature that a request comes with, and what it signs besides the body. */
interface Signature {
  timestamp: string;
  given: string;
}

/** The signature of a request; undefined where it has none, or one of another time. Needs no body. */
export function signatureOf(headers: Headers, now: number): Signature | undefined {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  const [, given] = signed.exec(headers.get("x-slack-signature") ?? "") ?? [];
  if (!/^\d{1,12}$/.test(timestamp) || given === undefined) return undefined;
  if (Math.abs(now - Number(timestamp) * 1_000) > signatureAgeMs) return undefined;
  return { timestamp, given };
}

/**
 * Whether the provider signed this body with the secret, at this time (milliseconds) or shortly before: HMAC-SHA256 of
 * `v0:<timestamp>:<body>`. Compared in constant time.
 */
export function isSigned(
  headers: Headers,
  body: Uint8Array,
  { secret, now }: { secret: string; now: number },
): boolean {
  const signature = signatureOf(headers, now);
  if (!signature) return false;
  const { timestamp, given } = signature;
  const wanted = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest();
  const bytes = Uint8Array.from(given.match(/../g)!, (pair) => parseInt(pair, 16));
  return timingSafeEqual(wanted, bytes);
}
