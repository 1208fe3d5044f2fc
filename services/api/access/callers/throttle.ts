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

  /**
   * Charges an address for a token that nobody has, if failures can be counted. Throws 429 after too many. Good tokens
   * never come here: others behind the same address cannot keep them out.
   */
  async failedWithToken(address: string | undefined): Promise<void> {
    const key = addressKey(address);
    this.#refuseBeyond(Number(await this.cache.get(key)), 0);
    await this.cache.increment(key, this.limits.windowMs);
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

/**
 * The part of an address that one client has to itself: of IPv6 the network (64 bits), within which it can change its
 * address as it likes.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const whole = [...groups, ...Array(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")];
  const network = whole.slice(0, 4).map((group) => (parseInt(group, 16) || 0).toString(16));
  return `${network.join(":")}::/64`;
}

/**
 * Spellings that some directory takes for one name are one: case, width, accents, blanks, and what is not seen. That two
 * users may share a count costs little; that one name has many counts would be a way past them.
 */
function folded(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[\u0300-\u036f\p{C}\p{Z}\s]/gu, "");
  return plain.toUpperCase().toLowerCase();
}

/** Names are hashed: a key has one length, whatever a client sends. */
const hashed = (text: string) => Buffer.from(digestOf(text)).toString("hex").slice(0, 32);
const userKey = (user: string) => `attempts:user:${hashed(folded(user))}`;
const addressKey = (address = "unknown") => `attempts:address:${hashed(networkOf(address))}`;
