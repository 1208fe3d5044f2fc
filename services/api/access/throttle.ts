import type { Cache } from "#cache/port.ts";
import { AppError } from "#kit/errors.ts";
import { digestOf } from "#kit/secret.ts";
import { Buffer } from "node:buffer";

/** Failed attempts within a window, after which further ones are refused. */
export const failedAttempts = { perUser: 10, perAddress: 100, windowMs: 300_000 };

/**
 * Slows down whoever guesses passwords or tokens, by user and by address. Counts are kept in the cache, so that
 * replicas count together. An attempt for a user counts before it is judged, so that many at once gain nothing; an
 * address is charged for failures only, since many people may share it. While the cache is down nobody can sign in,
 * but programs go on: their tokens are too long to be guessed, and are throttled only to spare the database.
 */
export class AttemptThrottle {
  constructor(
    private readonly cache: Pick<Cache, "get" | "increment" | "strict">,
    private readonly limits = failedAttempts,
  ) {}

  /** Called before an attempt. Throws 429 with Retry-After after too many, 503 when they cannot be counted. */
  async attempt(address: string | undefined, user?: string): Promise<void> {
    const { windowMs } = this.limits;
    const [failures, tries] = await Promise.all([
      this.cache.strict.get(addressKey(address)).then(Number),
      user === undefined ? 0 : this.cache.strict.increment(userKey(user), windowMs),
    ]);
    this.#refuseBeyond(failures, tries);
  }

  /** Called before a token is looked up. Throws 429 as above; goes on when failures cannot be counted. */
  async attemptWithToken(address: string | undefined): Promise<void> {
    this.#refuseBeyond(Number(await this.cache.get(addressKey(address))), 0);
  }

  #refuseBeyond(failures: number, tries: number): void {
    const { perUser, perAddress, windowMs } = this.limits;
    if (failures < perAddress && tries <= perUser) return;
    throw new AppError("Too many failed attempts to sign in; wait some minutes", {
      status: 429,
      code: "SYS002",
      retryable: true,
      retryAfter: Math.ceil(windowMs / 1_000),
    });
  }

  /** Charges an address for a token that nobody has, if failures can be counted. */
  async failedWithToken(address: string | undefined): Promise<void> {
    await this.cache.increment(addressKey(address), this.limits.windowMs);
  }

  /** Charges an address for a failed attempt. */
  async failed(address: string | undefined): Promise<void> {
    await this.cache.strict.increment(addressKey(address), this.limits.windowMs);
  }

  /** Forgets the attempts for a user who has succeeded. */
  async succeeded(user: string): Promise<void> {
    await this.cache.strict.delete(userKey(user));
  }
}

/** Names are hashed: a key has one length, whatever a client sends. */
const hashed = (text: string) => Buffer.from(digestOf(text)).toString("hex").slice(0, 32);
const userKey = (user: string) => `attempts:user:${hashed(user.toLowerCase())}`;
const addressKey = (address = "unknown") => `attempts:address:${hashed(address)}`;
