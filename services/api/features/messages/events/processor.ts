import { longestPause } from "#platform/ops/states/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import { ShortCache } from "#kit/short-cache.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leased-loop.ts";
import type { Context } from "#platform/context.ts";
import type { MessageMetrics } from "#services/api/features/messages/metrics.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import { countEvents, dueEvents } from "./queue.queries.ts";
import { tracedEvent } from "./spans.ts";
import { translate, type TranslatorDeps } from "./translator.ts";

type Deps = Pick<
  Context,
  "db" | "leases" | "wakeups" | "clock" | "log"
>;

export interface ProcessorOptions extends Deps {
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
const measureMs = 10_000;

/** Turns thread events of the provider into replies, in the one process that holds the lease. */
export class EventProcessor implements Worker {
  readonly name = "chat event processor";
  readonly #loop: LeasedLoop;
  readonly #deps: TranslatorDeps;
  readonly #pollMs: number;
  #measuredAt = -Infinity;
  #waiting = false;

  constructor(private readonly options: ProcessorOptions) {
    const { wakeups, clock, instruments, waitMs = 1_000, pollMs = 1_000 } = options;
    this.#pollMs = pollMs;
    const profiles = new ShortCache<Awaited<ReturnType<ChatProvider["profile"]>>>({
      name: "chat-profiles",
      ttlMs: profileMs,
      maxEntries: maxProfiles,
      clock,
      metrics: instruments,
    });
    this.#deps = { ...options, profiles, attempts: eventAttempts, waitMs };
    this.#loop = new LeasedLoop({
      ...options,
      lease: { name: "chat-events", ttlMs: options.leaderMs ?? leaderLeaseMs },
      standbyMs: 5_000,
      retry: { initial: 100, max: longestPause("waiting_for_metadata") },
      listen: (wake) => wakeups.on("chat_event", wake),
      lead: (_lease, signal) => this.#round(signal),
      failed: (error) => this.#failed(error),
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#loop.start(onCrash);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (this.#waiting) return { ready: false, state: "waiting_for_metadata" };
    return { ready: true, state: this.#loop.leading ? "running" : "standby" };
  }

  async #round(signal: AbortSignal): Promise<number> {
    const events = await dueEvents(this.options.db, batch);
    this.#waiting = false;
    for (const event of events) {
      if (signal.aborted || !await this.#loop.renew()) return 0;
      await tracedEvent(event, () => translate(this.#deps, event));
    }
    await this.#measure();
    return events.length === batch ? 0 : this.#pollMs;
  }

  #failed(error: unknown): void {
    if (!isMetadataDown(error)) throw error;
    const level = this.#waiting ? "debug" : "warn";
    this.options.log[level]("replies wait for the metadata store", { error: messageOf(error) });
    this.#waiting = true;
  }

  async #measure(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.#measuredAt < measureMs) return;
    this.#measuredAt = now;
    this.options.metrics.eventQueue(await countEvents(this.options.db));
  }
}
