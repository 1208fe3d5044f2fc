import { type AppError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Block } from "#platform/chat/markup.ts";
import type { Outcome } from "#platform/outbox/queue.ts";

/** A channel of the provider that messages may be sent to. */
export interface ChatChannel {
  id: string;
  name: string;
  /** False when the provider says that nothing can be written to it. */
  open: boolean;
}

/** Somebody who writes at the provider. */
export interface ChatProfile {
  name: string | null;
  /** Address of a picture. */
  avatar: string | null;
}

/** A message as the provider takes it. */
export interface ChatPost {
  channelId: string;
  /** Our id of it, kept with the message at the provider, where nobody sees it. */
  messageId: string;
  /** Shown where the blocks cannot be. */
  text: string;
  blocks: Block[];
}

/**
 * The chat provider. Messages are named by channel and by an id of the provider (seconds with six decimals). Every
 * call ends within a time, and rejects with a `ProviderFailure`.
 */
export interface ChatProvider {
  /** Channels that can be written to, at most `maxListedChannels`. */
  channels(signal?: AbortSignal): Promise<ChatChannel[]>;
  /** One channel; null for an unknown one. */
  channel(id: string): Promise<ChatChannel | null>;
  /** Posts a message; its id. */
  post(post: ChatPost, signal: AbortSignal): Promise<string>;
  /** The id of a message that was posted in a period, by our id; null when there is none. */
  posted(
    post: Pick<ChatPost, "channelId" | "messageId">,
    period: { since: Date; until: Date },
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Address of a message's page, not checked; null when the provider does not know the message. */
  permalink(channelId: string, id: string): Promise<string | null>;
  /** Null for a user whom the provider does not know, or does not show. */
  profile(userId: string): Promise<ChatProfile | null>;
}

/**
 * `limited`: too many requests, to be retried later. `unanswered`: no readable response, so what was requested
 * for may have been done. `transient`: the provider says that it cannot at present. `permanent`: it never will.
 */
type FailureKind = "limited" | "unanswered" | "transient" | "permanent";

/** Why a request to the provider failed. The message is a fixed text, without secrets or addresses. */
export class ProviderFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** The provider's error code; for a `limited` failure, the milliseconds to wait. */
    readonly given: { code?: string; afterMs?: number } = {},
  ) {
    super(message);
    this.name = "ProviderFailure";
  }

  /** Whether the provider calls the failure by one of these names. */
  is(codes: readonly string[]): boolean {
    return this.given.code !== undefined && codes.includes(this.given.code);
  }
}

/** The error for a request that needs the provider: 503. Any other error is passed on unchanged. */
export function asUnavailable(error: unknown): AppError | unknown {
  if (!(error instanceof ProviderFailure)) return error;
  const seconds = Math.ceil((error.given.afterMs ?? 5_000) / 1_000);
  return unavailable("The chat provider is not available", seconds, error);
}

/** What a failure means for what was requested: too many requests concern the whole channel, and cost no attempt. */
export function outcomeOfFailure({ kind, message: cause, given }: ProviderFailure): Outcome {
  const uncertain = kind === "unanswered";
  if (kind === "permanent") return { kind: "refused", cause, uncertain };
  const limited = kind === "limited";
  const { afterMs } = given;
  return { kind: "retry", cause, afterMs, pausesChannel: limited, counts: !limited, uncertain };
}

/** Codes that pass by themselves; all others are permanent. */
const passing = new Set([
  "fatal_error",
  "internal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
]);
const limiting = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

/** The failure that the provider's own word stands for. */
export function failureOf(code: string, afterMs: number): ProviderFailure {
  const word = /^[a-z_]{1,60}$/.test(code) ? code : "an unknown error";
  if (limiting.has(code)) {
    return new ProviderFailure("limited", "rate limited", { code, afterMs: afterMs || 1_000 });
  }
  return passing.has(code)
    ? new ProviderFailure("transient", `the provider failed (${word})`, { code })
    : new ProviderFailure("permanent", `refused by the provider (${word})`, { code });
}

/** What came of an event of the provider. */
type EventOutcome =
  | "queued"
  | "repeated"
  | "filtered"
  | "unsigned"
  | "full"
  | "taken"
  | "failed";

/** Counts events of the provider: the API those that it receives, the chat service those that it processes. */
export class ChatEventCounter {
  readonly #events;

  constructor(metrics: Metrics) {
    this.#events = metrics.counter(
      "tributary_chat_events_total",
      "Events of the chat provider, by outcome",
      ["outcome"],
    );
  }

  event(outcome: EventOutcome): void {
    this.#events.inc({ outcome });
  }
}
