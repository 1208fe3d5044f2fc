import type { Admin, Kafka } from "kafkajs";
import { unavailable } from "#kit/errors.ts";
import { retry, withTimeout } from "#kit/retry.ts";
import { protocolType, translate } from "#eventlog/kafka/client.ts";

/** Milliseconds that a client is given to end its connections. */
const closeMs = 2_000;

/** A client without metadata answers null, or reads what is not there: it is asked again. */
const withoutMetadata = {
  attempts: 5,
  initial: 50,
  max: 500,
  retryable: (error: unknown) => error instanceof TypeError,
};

interface Held {
  admin: Admin;
  connected: Promise<void>;
}

/**
 * The administrative client that all calls share. It connects once, for everybody: several calls
 * that connect it at a time while the brokers are away can leave it without any answer for good. So a client
 * that is late, or fails by anything but an answer of a broker, is replaced.
 */
export class SharedAdmin {
  #held: Held | undefined;

  /** `kafka` should be configured with few retries: callers wait, and each call tries again. */
  constructor(private readonly kafka: Pick<Kafka, "admin">) {}

  /** Rejects with 503 after `timeoutMs`, or when there is no broker. */
  async call<T>(work: (admin: Admin) => Promise<T>, timeoutMs: number): Promise<T> {
    const held = this.#held ??= this.#connect();
    const late = () => unavailable("The event log did not answer in time");
    const asked = held.connected.then(() => retry(() => work(held.admin), withoutMetadata));
    try {
      return await withTimeout(asked, timeoutMs, late);
    } catch (error) {
      if (protocolType(error) === undefined) this.#drop(held);
      throw translate(error);
    }
  }

  /** Waits for answers that are under way, but not for a broker that hangs. */
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
   * A client that is still connecting is ended once it has connected; else its connection would stay
   * open unused.
   */
  #drop(held: Held): void {
    if (this.#held !== held) return;
    this.#held = undefined;
    const end = () => held.admin.disconnect();
    void held.connected.then(end, end).catch(() => {});
  }
}
