import { longestPause } from "#platform/ops/states/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leased-loop.ts";
import type { Context } from "#platform/context.ts";
import type { MessageMetrics } from "#services/api/features/messages/metrics.ts";
import { answerMs } from "#services/api/features/messages/provider/call.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import { attempt } from "./attempt.ts";
import { type ClaimedMessage, Claims } from "./claims.ts";
import { lateSignal } from "./late-signal.ts";
import { tracedAttempt } from "./spans.ts";
import type { RetryRules, SendOutcome } from "./outcome.ts";

type Deps = Pick<
  Context,
  "db" | "leases" | "wakeups" | "clock" | "log" | "baseUrl" | "config"
>;

export interface SenderOptions extends Deps {
  provider: ChatProvider;
  metrics: MessageMetrics;
  rules: RetryRules;
  /** Milliseconds after which a claimed message may be claimed again; more than two calls of the provider. */
  leaseMs?: number;
  /** Shortest time between two messages of a channel, milliseconds: what the provider takes. */
  intervalMs?: number;
  /** Milliseconds between two looks at the queue without a wake-up. */
  pollMs?: number;
  /** Milliseconds after which another process takes over from one that is gone. */
  leaderMs?: number;
}

/** Messages at once, each of another channel. */
const concurrency = 8;
const claimMs = 40_000;
const leaderLeaseMs = 15_000;
/** Maximum number of requests of one attempt. */
const callsOfAttempt = 2;
/** Milliseconds that `stop` gives to attempts in flight. */
const finishMs = 3_000;
const measureMs = 10_000;
const ownFailure = "an internal error, see the log";

/** Sends messages that people posted, in the one process that holds the lease. */
export class MessageSender implements Worker {
  readonly name = "message sender";
  readonly #claims: Claims;
  readonly #loop: LeasedLoop;
  readonly #pollMs: number;
  #measuredAt = -Infinity;
  #lastError: string | undefined;
  #waiting = false;

  constructor(private readonly options: SenderOptions) {
    const { db, wakeups, leaseMs = claimMs, intervalMs = 1_000, pollMs = 1_000 } = options;
    this.#pollMs = pollMs;
    const attemptMs = Math.min(callsOfAttempt * answerMs, leaseMs / 2);
    this.#claims = new Claims(db, { max: concurrency, attemptMs, leaseMs, intervalMs });
    this.#loop = new LeasedLoop({
      ...options,
      lease: { name: "message-sender", ttlMs: options.leaderMs ?? leaderLeaseMs },
      standbyMs: 5_000,
      retry: { initial: 100, max: longestPause("waiting_for_metadata") },
      listen: (wake) => wakeups.on("message_sending", wake),
      lead: (_lease, signal) => this.#round(signal),
      standBy: () => void (this.#lastError = undefined),
      failed: (error) => this.#failed(error),
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#loop.start(onCrash);
    return Promise.resolve();
  }

  /** Attempts in flight end first, or are broken off and looked for at the provider before the next. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (this.#waiting) return { ready: false, state: "waiting_for_metadata" };
    if (this.#lastError) return { ready: false, state: "retrying", detail: this.#lastError };
    return { ready: true, state: this.#loop.leading ? "running" : "standby" };
  }

  async #round(signal: AbortSignal): Promise<number> {
    const claimed = await this.#claims.take();
    this.#waiting = false;
    const hurry = lateSignal(signal, finishMs);
    try {
      const ends = await Promise.allSettled(claimed.map((one) => this.#send(one, hurry.signal)));
      const broken = ends.find((end) => end.status === "rejected");
      if (broken) throw broken.reason;
    } finally {
      hurry.clear();
    }
    const waitMs = await this.#claims.nextDue();
    if (waitMs === undefined) this.#lastError = undefined;
    await this.#measure();
    return Math.min(waitMs ?? this.#pollMs, this.#pollMs);
  }

  async #send(message: ClaimedMessage, signal: AbortSignal): Promise<void> {
    try {
      const attempted = () => attempt(this.options, message, signal);
      await this.#settle(message, await tracedAttempt(message, attempted));
    } catch (error) {
      if (isMetadataDown(error)) throw error;
      // Only this message fails: the sender, and all other messages, must continue.
      this.options.log.error("message cannot be sent", { message: message.id, error });
      await this.#settle(message, { kind: "failed", cause: ownFailure, uncertain: true });
    }
  }

  async #settle(message: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    const { metrics, log } = this.options;
    const isSettled = await this.#claims.settle(message, outcome);
    metrics.attempt(outcome.kind);
    this.#logOutcome(outcome);
    if (!isSettled || outcome.kind !== "failed") return;
    log.warn("message was not sent", { message: message.id, cause: outcome.cause });
  }

  #logOutcome(outcome: SendOutcome): void {
    this.#lastError = outcome.kind === "sent" ? undefined : outcome.cause;
  }

  #failed(error: unknown): void {
    if (!isMetadataDown(error)) throw error;
    const level = this.#waiting ? "debug" : "warn";
    this.options.log[level]("messages wait for the metadata store", { error: messageOf(error) });
    this.#waiting = true;
  }

  async #measure(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    this.options.metrics.queue(await this.#claims.queue());
  }
}
