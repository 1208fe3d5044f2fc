import { isMetadataDown } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { MessageMetrics } from "#services/api/features/messages/metrics.ts";
import { answerMs } from "#services/api/features/messages/provider/call.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import { type QueueDeps, QueueWorker } from "#services/api/features/messages/queue-worker.ts";
import { attempt } from "./attempt.ts";
import { type ClaimedMessage, Claims } from "./claims.ts";
import { lateSignal } from "./late-signal.ts";
import { tracedAttempt } from "./spans.ts";
import type { RetryRules, SendOutcome } from "./outcome.ts";

export interface SenderOptions extends QueueDeps, Pick<Context, "baseUrl" | "config"> {
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
const ownFailure = "an internal error, see the log";

/**
 * Sends messages that people posted. When it stops, attempts in flight end first, or are broken off and looked for at the
 * provider before the next.
 */
export class MessageSender extends QueueWorker<ClaimedMessage> {
  readonly #claims: Claims;
  readonly #pollMs: number;

  constructor(private readonly options: SenderOptions) {
    const { db, leaseMs = claimMs, intervalMs = 1_000, pollMs = 1_000 } = options;
    super({
      ...options,
      name: "message sender",
      lease: { name: "message-sender", ttlMs: options.leaderMs ?? leaderLeaseMs },
      channel: "message_sending",
      items: "messages",
    });
    this.#pollMs = pollMs;
    const attemptMs = Math.min(callsOfAttempt * answerMs, leaseMs / 2);
    this.#claims = new Claims(db, { max: concurrency, attemptMs, leaseMs, intervalMs });
  }

  protected take(): Promise<ClaimedMessage[]> {
    return this.#claims.take();
  }

  protected async work(claimed: ClaimedMessage[], signal: AbortSignal): Promise<number> {
    const hurry = lateSignal(signal, finishMs);
    try {
      const ends = await Promise.allSettled(claimed.map((one) => this.#send(one, hurry.signal)));
      const broken = ends.find((end) => end.status === "rejected");
      if (broken) throw broken.reason;
    } finally {
      hurry.clear();
    }
    const waitMs = await this.#claims.nextDue();
    if (waitMs === undefined) this.problem = undefined;
    return Math.min(waitMs ?? this.#pollMs, this.#pollMs);
  }

  protected async measure(): Promise<void> {
    this.options.metrics.queue(await this.#claims.queue());
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
    this.problem = outcome.kind === "sent" ? undefined : outcome.cause;
    if (!isSettled || outcome.kind !== "failed") return;
    log.warn("message was not sent", { message: message.id, cause: outcome.cause });
  }
}
