import { bisectBatch } from "#kit/bisect.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop, Wakeup } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { backoff } from "#kit/retry.ts";
import type { Clock } from "#kit/clock.ts";
import { classify, isMetadataDown } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { attempt, type AttemptSpan, type OutboxChannel, tracedAttempt } from "./attempt.ts";
import {
  type Claim,
  type ClaimedItem,
  type EndedAttempt,
  type OutboxMetrics,
  type OutboxQueue,
  type Outcome,
  resultOf,
  type RetryPolicy,
  type Unsent,
} from "./queue.ts";

/** What differs between outboxes, besides their tables. */
interface OutboxPolicy extends RetryPolicy {
  /** Longest time of one attempt, milliseconds. */
  attemptMs: number;
  /** Milliseconds that attempts in flight are given when the process stops. */
  drainMs: number;
}

export interface OutboxOptions<I> extends Pick<Context, "clock" | "log" | "wakeups"> {
  name: string;
  queue: OutboxQueue<I>;
  channel: OutboxChannel<I>;
  policy: OutboxPolicy;
  span: AttemptSpan<I>;
  metrics: OutboxMetrics;
  /** Where the metadata store announces that something was queued. */
  wakeup: string;
  /** Milliseconds between two claims without a wake-up. */
  pollMs?: number;
}

/** Milliseconds that a lease lasts beyond an attempt, and that a stop waits, so that outcomes can be recorded. */
export const recordMs = 5_000;
/** Milliseconds between two measurements of the queue. */
const measureMs = 10_000;
/** Milliseconds that an outcome waits for those of other attempts, to be recorded together with them. */
const gatherMs = 5;
const ownFailure = "an internal error, see the log";

/**
 * Delivers what is queued in a table. Any number of them, in any processes, share the table: an item is claimed before
 * it is attempted and its outcome recorded afterwards. A process that is killed in between leaves a claim that expires,
 * and the item is attempted again.
 */
export class Outbox<I extends ClaimedItem> implements Worker {
  readonly name: string;
  readonly #recorder: Recorder<EndedAttempt<I>>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #loop: Loop;
  /** Attempts that have not ended, and the end of the last one. */
  #attempting = 0;
  readonly #noneLeft: Wakeup;
  #hurry = new AbortController();
  #measuredAt = -Infinity;
  #health: Health = { ready: false, state: "stopped" };

  constructor(private readonly options: OutboxOptions<I>) {
    const { name, clock, wakeups, wakeup, pollMs = 1_000 } = options;
    this.name = name;
    this.#noneLeft = new Wakeup(clock);
    this.#recorder = new Recorder({
      clock,
      write: (batch) => this.#settle(batch),
      gathered: () => this.#gather(),
      onFailure: (error) => this.#wait("an outcome cannot be recorded yet", error),
    });
    this.#loop = new Loop({
      clock,
      listen: (wake) => wakeups.on(wakeup, wake),
      round: async () => Math.min(pollMs, Math.ceil(await this.#round())),
      retry: { initial: 100, max: longestPause("waiting_for_metadata") },
      failed: (error) => {
        if (!isMetadataDown(error) && classify(error) === "unknown") throw error;
        this.#wait(`${name} waits for the metadata store`, error);
      },
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#hurry = new AbortController();
    this.#recorder.open();
    this.#health = { ready: true, state: "running" };
    return this.#loop.start(onCrash);
  }

  /** Attempts in flight end first, those that take long are aborted, and all are recorded. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#ended(this.options.policy.drainMs);
    this.#hurry.abort();
    await this.#ended(recordMs);
    this.#recorder.close();
    this.#health = { ready: false, state: "stopped" };
  }

  health(): Health {
    return this.#health;
  }

  /** Waits for what is in flight, at most `ms` milliseconds. */
  async #ended(ms: number): Promise<void> {
    const late = new AbortController();
    const all = Promise.all(this.#inFlight);
    await Promise.race([all, this.options.clock.sleep(ms, late.signal)]);
    late.abort();
  }

  /** Claims as much as may be attempted and begins with it. Milliseconds until the next round. */
  async #round(): Promise<number> {
    const { queue, channel } = this.options;
    const capacity = channel.concurrency - this.#inFlight.size;
    if (capacity <= 0) return Infinity;
    if (this.#measuredAt === -Infinity) await queue.open?.();
    const claim = await queue.claim(capacity);
    this.#noteState(claim);
    for (const item of claim.items) this.#begin(item);
    await this.#measure();
    return claim.waitMs ?? Infinity;
  }

  #begin(item: I): void {
    const sent = this.#send(item).finally(() => {
      this.#inFlight.delete(sent);
      this.#loop.wake();
    });
    this.#inFlight.add(sent);
  }

  async #send(item: I): Promise<void> {
    const { channel, policy, span } = this.options;
    const began = performance.now();
    const { signal } = this.#hurry;
    this.#attempting++;
    const outcome = await tracedAttempt(
      span,
      item,
      () => attempt(channel, item, policy.attemptMs, signal),
    );
    if (--this.#attempting === 0) this.#noneLeft.signal();
    const endedAt = performance.now();
    await this.#recorder.add(
      this.#evaluate({ item, outcome, durationMs: endedAt - began, endedAt }),
    );
  }

  /** Attempts that began together end about together, and one statement for all of them is much cheaper. */
  async #gather(): Promise<void> {
    if (this.#attempting === 0) return;
    this.#noneLeft.reset();
    await this.#noneLeft.wait(gatherMs, this.#hurry.signal);
  }

  #evaluate(ended: Omit<EndedAttempt<I>, "result">): EndedAttempt<I> {
    const { item: { number, spentMs, ageMs }, outcome, durationMs } = ended;
    const attempted = { number, spentMs, ageMs, durationMs, outcome };
    return { ...ended, result: resultOf(attempted, this.options.policy) };
  }

  /** An outcome that cannot be stored fails its own item only. */
  async #settle(batch: EndedAttempt<I>[]): Promise<void> {
    await bisectBatch(batch, {
      work: (part) => this.#record(part),
      isPoison: (error) => classify(error) === "permanent",
      refuse: async (ended, error) => {
        this.options.log.error("outcome cannot be stored", { item: ended.item.id, error });
        const outcome: Outcome | Unsent = { kind: "refused", cause: ownFailure };
        await this.#record([this.#evaluate({ ...ended, outcome })]);
      },
    });
  }

  async #record(batch: EndedAttempt<I>[]): Promise<void> {
    const { queue, metrics, log } = this.options;
    await queue.settle(batch);
    for (const ended of batch) {
      metrics.recorded(ended);
      const { item: { id }, result: { state, reason } } = ended;
      if (state === "failed") log.warn("delivery failed", { delivery: id, reason });
    }
  }

  /** A problem is logged when it starts, changes or ends, not for each attempt. */
  #noteState({ paused, problem }: Claim<I>): void {
    const { metrics, log } = this.options;
    const before = this.#health.detail ?? null;
    if (problem !== null && problem !== before) log.warn("channel paused", { cause: problem });
    if (problem === null && before !== null) log.info("channel resumed");
    this.#health = problem === null
      ? { ready: true, state: "running" }
      : { ready: false, state: paused ? "paused" : "retrying", detail: problem };
    metrics.paused?.(paused);
  }

  #wait(message: string, error: unknown): void {
    const state = "waiting_for_metadata";
    const level = this.#health.state === state ? "debug" : "warn";
    this.options.log[level](message, { error: messageOf(error) });
    this.#health = { ready: false, state };
  }

  async #measure(): Promise<void> {
    const { clock, queue, metrics } = this.options;
    const now = clock.now();
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    metrics.queue(await queue.size());
  }
}

interface RecorderOptions<T> {
  clock: Clock;
  /** Writes all of a batch, or rejects. */
  write: (batch: T[]) => Promise<void>;
  /** Resolves when it is worth no more to wait for further items of a batch. */
  gathered: () => Promise<void>;
  /** Called for each failure. */
  onFailure: (error: unknown) => void;
}

/**
 * Writes what is given to it in batches: all that came while the last batch was being written and more was expected. A
 * batch that fails is written again, together with what came meanwhile.
 */
class Recorder<T> {
  #waiting: { item: T; written: () => void }[] = [];
  #running = false;
  #closed = new AbortController();

  constructor(private readonly options: RecorderOptions<T>) {}

  /** Resolves once it is written, or was abandoned. */
  add(item: T): Promise<void> {
    const done = new Promise<void>((written) => this.#waiting.push({ item, written }));
    if (!this.#running) void this.#run();
    return done;
  }

  open(): void {
    this.#closed = new AbortController();
  }

  /** Drops what is not written yet, and what comes later. */
  close(): void {
    this.#closed.abort();
    this.#giveUp();
  }

  async #run(): Promise<void> {
    const { clock, write, onFailure, gathered } = this.options;
    const closed = this.#closed.signal;
    this.#running = true;
    for (let failures = 0; this.#waiting.length > 0 && !closed.aborted;) {
      await gathered();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await write(batch.map(({ item }) => item));
        for (const { written } of batch) written();
        failures = 0;
      } catch (error) {
        this.#waiting = batch.concat(this.#waiting);
        onFailure(error);
        await clock.sleep(backoff(++failures, { initial: 50, max: 1_000 }), closed);
      }
    }
    this.#running = false;
    if (closed.aborted) this.#giveUp();
  }

  #giveUp(): void {
    for (const { written } of this.#waiting.splice(0)) written();
  }
}
