import { longestPause } from "#platform/ops/states/recovery.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { attempt } from "./attempt.ts";
import { type Claim, type ClaimedDelivery, Claims, type EndedAttempt } from "./claims.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import type { RetryRules } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
import { tracedAttempt } from "./spans.ts";

export interface SenderOptions {
  channel: Channel;
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: DeliveryMetrics;
  retry: RetryRules;
  /** Longest time of one attempt, milliseconds. */
  timeoutMs: number;
  /** Milliseconds until a claim expires; the timeout, and some more to record an outcome in. */
  leaseMs?: number;
  /** Milliseconds between two looks without a wake-up. */
  pollMs?: number;
}

/** Milliseconds that attempts in flight are given when we stop, and then their outcomes. */
const finishMs = 12_000;
const recordMs = 5_000;
/** Milliseconds between two measurements of the queue. */
const measureMs = 10_000;

/**
 * Sends what is due over one channel. Any number of them, in any processes, share the queue: a row is
 * claimed before it is sent and its outcome recorded after. One that is killed in between leaves a
 * claim that expires, and the row goes out again with the same delivery id.
 */
export class Sender implements Worker {
  readonly name: string;
  readonly #claims: Claims;
  readonly #recorder: Recorder<EndedAttempt>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #loop: Loop;
  #hurry = new AbortController();
  #measuredAt = -Infinity;
  /** Whether the next round claims without asking first whether a row is due. */
  #isHinted = true;
  #health: Health = { ready: false, state: "stopped" };

  constructor(private readonly options: SenderOptions) {
    const { channel, db, clock, wakeups, timeoutMs, pollMs = 1_000 } = options;
    this.name = `sender of ${channel.name}`;
    this.#claims = new Claims(db, {
      channel: channel.name,
      recipients: channel.recipients,
      intervalMs: channel.intervalMs,
      timeoutMs,
      leaseMs: options.leaseMs ?? timeoutMs + recordMs,
    });
    this.#recorder = new Recorder({
      clock,
      write: (batch) => this.#settle(batch),
      onFailure: (error) => this.#waits("an outcome cannot be recorded yet", error),
    });
    this.#loop = new Loop({
      clock,
      listen: (wake) =>
        wakeups.on("notification_delivery", () => {
          this.#isHinted = true;
          wake();
        }),
      round: async () => {
        const waitMs = Math.ceil(await this.#round());
        if (waitMs <= pollMs) this.#isHinted = true;
        return Math.min(pollMs, waitMs);
      },
      retry: { initial: 100, max: longestPause("waiting_for_metadata") },
      failed: (error) => {
        if (classify(error) === "unknown" && !isUnavailable(error)) throw error;
        this.#waits("sender waits for the metadata store", error);
      },
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#hurry = new AbortController();
    this.#recorder.open();
    this.#health = { ready: true, state: "running" };
    return this.#loop.start(onCrash);
  }

  /** Attempts in flight end first, those that take long are broken off, and all are recorded. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#ended(finishMs);
    this.#hurry.abort();
    await this.#ended(recordMs);
    this.#recorder.close();
    this.#health = { ready: false, state: "stopped" };
  }

  /** Waits for what is in flight, at most `ms` milliseconds. */
  async #ended(ms: number): Promise<void> {
    const late = new AbortController();
    const all = Promise.all(this.#inFlight);
    await Promise.race([all, this.options.clock.sleep(ms, late.signal)]);
    late.abort();
  }

  health(): Health {
    return this.#health;
  }

  /** Claims what there is room for and begins to send it. Milliseconds until the next round. */
  async #round(): Promise<number> {
    const capacity = this.options.channel.concurrency - this.#inFlight.size;
    if (capacity <= 0) return Infinity;
    if (this.#measuredAt === -Infinity) await this.#claims.ensureChannel();
    const claim = await this.#claim(capacity);
    this.#logState(claim);
    for (const row of claim.rows) this.#begin(row, claim.turn);
    await this.#measure();
    return claim.waitMs ?? Infinity;
  }

  /** A poll checks in one statement whether a row is due; after a wake-up rows are claimed immediately. */
  async #claim(capacity: number): Promise<Claim> {
    const found = this.#isHinted ? null : await this.#claims.peek();
    this.#isHinted = false;
    return found ?? await this.#claims.take(capacity);
  }

  #begin(row: ClaimedDelivery, turn: boolean): void {
    const sent = this.#send(row, turn).finally(() => {
      this.#inFlight.delete(sent);
      this.#isHinted = true;
      this.#loop.wake();
    });
    this.#inFlight.add(sent);
  }

  async #send(row: ClaimedDelivery, turn: boolean): Promise<void> {
    const { channel, timeoutMs, metrics } = this.options;
    const began = performance.now();
    const { signal } = this.#hurry;
    const outcome = await tracedAttempt(
      channel.name,
      row,
      () => attempt(channel, row, timeoutMs, signal),
    );
    const endedAt = performance.now();
    metrics.attempt(channel.name, outcome.kind, endedAt - began);
    const { deliveryId, number, claim, claimedAt, spentMs } = row;
    const attempted = { deliveryId, number, claim, claimedAt, spentMs };
    await this.#recorder.add({
      ...attempted,
      durationMs: endedAt - began,
      outcome,
      turn,
      endedAt,
    });
  }

  async #settle(batch: EndedAttempt[]): Promise<void> {
    const { channel: { name }, retry, metrics, log } = this.options;
    const outcomes = await this.#claims.settle(batch, retry);
    outcomes.forEach(({ state, reason }, i) => {
      if (state === "pending") return;
      metrics.ended(name, state);
      const delivery = batch[i]!.deliveryId;
      if (state === "failed") log.warn("delivery failed", { channel: name, delivery, reason });
    });
  }

  /** A pause reason is logged when it starts, changes or ends, not for each attempt. */
  #logState({ paused, pauseReason }: Claim): void {
    const { channel: { name }, metrics, log } = this.options;
    const before = this.#health.detail ?? null;
    if (pauseReason !== null && pauseReason !== before) {
      log.warn("channel paused", { channel: name, cause: pauseReason });
    }
    if (pauseReason === null && before !== null) log.info("channel resumed", { channel: name });
    this.#health = pauseReason === null
      ? { ready: true, state: "running" }
      : { ready: false, state: paused ? "paused" : "retrying", detail: pauseReason };
    metrics.paused(name, paused);
  }

  #waits(message: string, error: unknown): void {
    const { channel: { name }, log } = this.options;
    const state = "waiting_for_metadata";
    const level = this.#health.state === state ? "debug" : "warn";
    log[level](message, { channel: name, error: messageOf(error) });
    this.#health = { ready: false, state };
  }

  async #measure(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    const { pending, oldest } = await this.#claims.queue();
    this.options.metrics.queue(this.options.channel.name, pending, oldest);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true;
}
