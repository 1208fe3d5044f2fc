import type { Admin, Kafka } from "kafkajs";
import { unavailable } from "#kit/errors.ts";
import { retry, withTimeout } from "#kit/retry.ts";
import { isLost, isMoved, protocolType, translate } from "#eventlog/kafka/client.ts";

/** Milliseconds in which a client must have closed its connections. */
const closeMs = 2_000;

const pauses = { attempts: Infinity, initial: 50, max: 1_000 };
/** Attempts of a call that fails because of this client's metadata or connection. */
const maxAttempts = 8;

interface AdminConnection {
  admin: Admin;
  connected: Promise<void>;
  reached: boolean;
}

/**
 * A client with old metadata asks a broker that no longer leads a partition, or does not lead it yet, and
 * keeps asking it until its metadata expires after minutes. A connection that a broker closed, after idling
 * for example, fails the next call; a client that has never reached a broker says nothing about that.
 */
const isOutdated = (error: unknown, connection: AdminConnection | undefined) =>
  isMoved(error) || (connection?.reached === true && isLost(error));

/**
 * The administrative client that all calls share. It connects once for all callers: several calls that
 * connect it at the same time while the brokers are away can leave it without any answer for good. A client
 * that times out, or fails with anything but a broker's answer, is replaced; a call whose connection was lost
 * is made once more by the new client.
 */
export class SharedAdmin {
  #current: AdminConnection | undefined;

  /** `kafka` should be configured with few retries: callers are waiting, and each call tries again. */
  constructor(private readonly kafka: Pick<Kafka, "admin">) {}

  /**
   * Rejects with 503 after `timeoutMs`, or when no broker can be reached. An error that `isTemporary` accepts is retried
   * until then.
   */
  async call<T>(
    work: (admin: Admin) => Promise<T>,
    timeoutMs: number,
    isTemporary: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const late = () => unavailable("The event log did not answer in time");
    let current: AdminConnection | undefined;
    const once = async () => {
      current = this.#current ??= this.#connect();
      await current.connected;
      current.reached = true;
      return work(current.admin);
    };
    // A client without metadata returns null, or reads a property of undefined: the call is retried.
    let refusals = 0;
    const retryable = (error: unknown) =>
      isTemporary(error) ||
      (++refusals < maxAttempts && (error instanceof TypeError || isOutdated(error, current)));
    const onRetry = (error: unknown) => isOutdated(error, current) && this.#drop(current);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answered = retry(once, { ...pauses, retryable, onRetry, signal });
      return await withTimeout(answered, timeoutMs, late);
    } catch (error) {
      if (protocolType(error) === undefined || isMoved(error)) this.#drop(current);
      throw translate(error);
    }
  }

  /** Waits for running calls, but not for a broker that hangs. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    const ended = current?.admin.disconnect().catch(() => {}) ?? Promise.resolve();
    await withTimeout(ended, closeMs, () => unavailable("The event log hangs")).catch(() => {});
  }

  #connect(): AdminConnection {
    const admin = this.kafka.admin();
    return { admin, connected: admin.connect(), reached: false };
  }

  /**
   * A client that is still connecting is closed once it has connected; otherwise its connection would stay
   * open unused.
   */
  #drop(current: AdminConnection | undefined): void {
    if (current === undefined || this.#current !== current) return;
    this.#current = undefined;
    const end = () => current.admin.disconnect();
    void current.connected.then(end, end).catch(() => {});
  }
}
