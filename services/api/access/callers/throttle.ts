import { Buffer } from "node:buffer";
import type { Cache, Counters } from "#cache/port.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError, tooManyRequests } from "#kit/errors.ts";
import { QueueFullError } from "#kit/limiter.ts";
import { networkOf } from "#kit/network.ts";
import { digestOf } from "#kit/secret.ts";

/**
 * Attempts within a window that are made at once. `perUser`: for one user, of one network and of all together;
 * `perAddress`: failed ones of one network, counted by themselves for sign-in, tokens and identity providers.
 */
export const failedAttempts = { perUser: 10, perAddress: 100, windowMs: 300_000 };

/** How sign-in goes on beyond these numbers. */
export const paces = {
  userOfNetwork: { everyMs: 15_000, maxWaiting: 1 },
  user: { everyMs: 5_000, maxWaiting: 3 },
  network: { everyMs: 3_000, maxWaiting: 4 },
} as const satisfies Record<string, ThrottleRate>;

/** Somebody who tries to sign in with a password. */
interface Attempt {
  address: string | undefined;
  user: string;
}

interface Check {
  key: string;
  limit: number;
  client: string;
  rate: ThrottleRate;
}

/**
 * Slows down guessing of passwords or tokens, by user and by network. Counts are in a store that strangers cannot
 * empty, and which replicas share. Attempts for a user count before they are checked, so that concurrent ones gain
 * nothing; a network is charged for failures only, since many people may share it. What is refused writes nothing. While the
 * store is down nobody can sign in, but programs go on: their tokens are too long to be guessed.
 */
export class AttemptThrottle {
  readonly #throttle: KeyedThrottle;
  /** Attempts of each network that are not checked yet. */
  readonly #inFlight = new Map<string, number>();

  constructor(
    private readonly cache: Pick<Cache, "counters">,
    clock: Pick<Clock, "sleep">,
    private readonly limits = failedAttempts,
  ) {
    this.#throttle = new KeyedThrottle(clock, () => this.counters);
  }

  private get counters(): Counters {
    return this.cache.counters;
  }

  /**
   * Makes an attempt to sign in; `check` gives undefined for a wrong password. After too many the attempt waits for its
   * turn first. Throws 429 when too many wait, 503 when attempts cannot be counted, and the errors of `check`.
   */
  async guard<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const client = clientOf(attempt.address);
    const ahead = this.#inFlight.get(client) ?? 0;
    this.#inFlight.set(client, ahead + 1);
    try {
      await this.#admit(attempt, client, ahead);
      const signedIn = await check();
      if (signedIn === undefined) await this.#charge("sign-in", attempt.address);
      else await this.forget(attempt);
      return signedIn;
    } catch (error) {
      // A client that fills the queue is slowed down; an outage counts against nobody.
      if (error instanceof QueueFullError) await this.#charge("sign-in", attempt.address);
      throw error;
    } finally {
      const left = this.#inFlight.get(client)! - 1;
      if (left > 0) this.#inFlight.set(client, left);
      else this.#inFlight.delete(client);
    }
  }

  /** `ahead`: attempts of the same network that may still fail. */
  async #admit({ user }: Attempt, client: string, ahead: number): Promise<void> {
    const { counters, limits: { perUser, perAddress, windowMs } } = this;
    const ofUser: Check[] = [
      { key: pairKey(client, user), limit: perUser, client: "", rate: paces.userOfNetwork },
      { key: userKey(user), limit: perUser, client, rate: paces.user },
    ];
    const key = networkKey("sign-in", client);
    const limit = Math.max(1, perAddress - ahead);
    const network = { key, limit, client: userKey(user), rate: paces.network };
    const waited = new Set<Check>();
    for (const check of [network, ...ofUser]) {
      if (await counters.read(check.key) < check.limit) continue;
      await this.#throttle.turn(check.key, check.client, check.rate);
      waited.add(check);
    }
    for (const check of ofUser) {
      const attempts = await counters.increment(check.key, windowMs);
      if (attempts <= check.limit || waited.has(check)) continue;
      await this.#throttle.turn(check.key, check.client, check.rate);
    }
  }

  /**
   * Counts an attempt for another name of the same user, as a directory knows it. False after too many: then the attempt
   * must fail, in the same way as for a wrong password, so that nobody learns which names belong together.
   */
  async isFurtherName({ address, user }: Attempt, name: string): Promise<boolean> {
    if (folded(name) === folded(user)) return true;
    const key = pairKey(clientOf(address), name);
    if (await this.counters.read(key) >= this.limits.perUser) return false;
    return await this.counters.increment(key, this.limits.windowMs) <= this.limits.perUser;
  }

  /** Forgets the attempts for a user who has succeeded. */
  async forget({ address, user }: Attempt): Promise<void> {
    await this.counters.clear(pairKey(clientOf(address), user));
    await this.counters.clear(userKey(user));
  }

  /**
   * Charges an address for a token that nobody has, if failures can be counted. Throws 429 after too many. Good tokens
   * never come here: others behind the same address cannot keep them out.
   */
  async failedWithToken(address: string | undefined): Promise<void> {
    try {
      await this.#chargeOrRefuse("token", address);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
    }
  }

  /** Charges an address for an answer of an identity provider that signs nobody in. Throws 429 after too many, 503. */
  async failedAtProvider(address: string | undefined): Promise<void> {
    await this.#chargeOrRefuse("provider", address);
  }

  async #chargeOrRefuse(what: AttemptKind, address: string | undefined): Promise<void> {
    const failures = await this.counters.read(networkKey(what, clientOf(address)));
    if (failures >= this.limits.perAddress) throw tooManyAttempts(this.limits.windowMs);
    await this.#charge(what, address);
  }

  async #charge(what: AttemptKind, address: string | undefined): Promise<void> {
    await this.counters.increment(networkKey(what, clientOf(address)), this.limits.windowMs);
  }
}

type AttemptKind = "sign-in" | "token" | "provider";

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
const pairKey = (network: string, user: string) =>
  `attempts:user-of:${hashed(`${network} ${folded(user)}`)}`;
const networkKey = (what: AttemptKind, client: string) => `attempts:${what}:${hashed(client)}`;
/** The network that an attempt is counted for. */
const clientOf = (address = "unknown") => networkOf(address);

/** How attempts go on after too many of them failed. */
export interface ThrottleRate {
  /** Milliseconds that each waits, one after the other. */
  everyMs: number;
  /** Attempts that may wait. */
  maxWaiting: number;
}

interface KeyQueue {
  /** Who waits: each client once. */
  waiting: Set<string>;
  last: Promise<void>;
}

/** 429: further attempts are refused for now. */
function tooManyAttempts(retryAfterMs: number): AppError {
  const retryAfter = Math.ceil(retryAfterMs / 1_000);
  return tooManyRequests("Too many failed attempts to sign in; wait some minutes", retryAfter);
}

/**
 * Slows attempts down instead of refusing them: those of one key are made one after the other, on all processes together
 * where they share a store.
 */
export class KeyedThrottle {
  readonly #queues = new Map<string, KeyQueue>();

  constructor(
    private readonly clock: Pick<Clock, "sleep">,
    private readonly counters: () => Pick<Counters, "nextTurn">,
  ) {}

  /** Waits for a turn of `key`. Throws 429 when `client` waits for one already, or too many do, and 503. */
  async turn(key: string, client: string, { everyMs, maxWaiting }: ThrottleRate): Promise<void> {
    const queue = this.#queues.get(key) ?? { waiting: new Set(), last: Promise.resolve() };
    const { waiting } = queue;
    if (waiting.has(client) || waiting.size >= maxWaiting) {
      throw tooManyAttempts(everyMs * (waiting.size + 1));
    }
    this.#queues.set(key, queue);
    waiting.add(client);
    const turn = queue.last.then(() => this.#wait(key, everyMs));
    queue.last = turn.catch(() => {});
    try {
      await turn;
    } finally {
      waiting.delete(client);
      if (waiting.size === 0) this.#queues.delete(key);
    }
  }

  async #wait(key: string, everyMs: number): Promise<void> {
    const shared = await this.counters().nextTurn?.(key, everyMs);
    await this.clock.sleep(shared ?? everyMs);
  }
}
