import type { Admin, Kafka } from "kafkajs";
import { unavailable } from "#kit/errors.ts";
import { retry, withTimeout } from "#kit/retry.ts";
import { isMoved, protocolType, translate } from "#eventlog/kafka/client.ts";

/** Milliseconds in which a client must have closed its connections. */
const closeMs = 2_000;

/**
 * A client without metadata answers null, or reads a property of undefined. A client with old metadata asks a
 * broker that no longer leads a partition, or does not lead it yet, and keeps asking it until its metadata
 * expires after minutes. Both calls are repeated, the second one with a new client.
 */
const oldMetadata = {
  attempts: 8,
  initial: 50,
  max: 1_000,
  retryable: (error: unknown) => error instanceof TypeError || isMoved(error),
};

interface Held {
  admin: Admin;
  connected: Promise<void>;
}

/**
 * The administrative client that all calls share. It connects once for all callers: several calls that
 * connect it at the same time while the brokers are away can leave it without any answer for good. A client
 * that times out, or fails with anything but a broker's answer, is replaced.
 */
export class SharedAdmin {
  #held: Held | undefined;

  /** `kafka` should be configured with few retries: callers are waiting, and each call tries again. */
  constructor(private readonly kafka: Pick<Kafka, "admin">) {}

  /** Rejects with 503 after `timeoutMs`, or when no broker can be reached. */
  async call<T>(work: (admin: Admin) => Promise<T>, timeoutMs: number): Promise<T> {
    const late = () => unavailable("The event log did not answer in time");
    let held: Held | undefined;
    const once = async () => {
      held = this.#held ??= this.#connect();
      await held.connected;
      return work(held.admin);
    };
    const onRetry = (error: unknown) => isMoved(error) && this.#drop(held);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await withTimeout(retry(once, { ...oldMetadata, onRetry, signal }), timeoutMs, late);
    } catch (error) {
      if (protocolType(error) === undefined || isMoved(error)) this.#drop(held);
      throw translate(error);
    }
  }

  /** Waits for running calls, but not for a broker that hangs. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    const ended = held?.admin.disconnect().catch(() => {}) ?? Promise.resolve();
    await withTimeout(ended, closeMs, () => unavailable("The event log hangs")).catch(() => {});
  }

  #connect(): Held {
    const admin = this.kafka.admin();
    return { admin, connected: admin.connect() };
  }

  /**
   * A client that is still connecting is closed once it has connected; otherwise its connection would stay
   * open unused.
   */
  #drop(held: Held | undefined): void {
    if (held === undefined || this.#held !== held) return;
    this.#held = undefined;
    const end = () => held.admin.disconnect();
    void held.connected.then(end, end).catch(() => {});
  }
}
