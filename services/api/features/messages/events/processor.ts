import { ShortCache } from "#kit/short-cache.ts";
import type { Context } from "#platform/context.ts";
import type { MessageMetrics } from "#services/api/features/messages/metrics.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import { type QueueDeps, QueueWorker } from "#services/api/features/messages/queue-worker.ts";
import { countEvents, dueEvents, type EventRow } from "./queue.queries.ts";
import { tracedEvent } from "./spans.ts";
import { translate, type TranslatorDeps } from "./translator.ts";

export interface ProcessorOptions extends QueueDeps {
  provider: ChatProvider;
  metrics: MessageMetrics;
  /** Of the cache of profiles. */
  instruments: Context["metrics"];
  /** Milliseconds before the second attempt. */
  waitMs?: number;
  pollMs?: number;
  leaderMs?: number;
}

/** Attempts to take an event in; then it waits for an operator. */
export const eventAttempts = 5;
/** Profiles that are stored, and for how many milliseconds. */
export const maxProfiles = 5_000;
const profileMs = 600_000;
const batch = 50;
const leaderLeaseMs = 30_000;

/** Turns thread events of the provider into replies. */
export class EventProcessor extends QueueWorker<EventRow> {
  readonly #deps: TranslatorDeps;
  readonly #pollMs: number;

  constructor(private readonly options: ProcessorOptions) {
    const { clock, instruments, waitMs = 1_000, pollMs = 1_000 } = options;
    super({
      ...options,
      name: "chat event processor",
      lease: { name: "chat-events", ttlMs: options.leaderMs ?? leaderLeaseMs },
      channel: "chat_event",
      items: "replies",
    });
    this.#pollMs = pollMs;
    const profiles = new ShortCache<Awaited<ReturnType<ChatProvider["profile"]>>>({
      name: "chat-profiles",
      ttlMs: profileMs,
      maxEntries: maxProfiles,
      clock,
      metrics: instruments,
    });
    this.#deps = { ...options, profiles, attempts: eventAttempts, waitMs };
  }

  protected take(): Promise<EventRow[]> {
    return dueEvents(this.options.db, batch);
  }

  protected async work(events: EventRow[], signal: AbortSignal): Promise<number> {
    for (const event of events) {
      if (signal.aborted || !await this.renew()) return 0;
      await tracedEvent(event, () => translate(this.#deps, event));
    }
    return events.length === batch ? 0 : this.#pollMs;
  }

  protected async measure(): Promise<void> {
    this.options.metrics.eventQueue(await countEvents(this.options.db));
  }
}
