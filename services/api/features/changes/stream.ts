import { Wakeup } from "#kit/loop.ts";
import type { Clock } from "#kit/clock.ts";
import type { StreamEnd } from "#services/api/features/changes/metrics.ts";

export interface StreamOptions {
  clock: Clock;
  /**
   * What is to be sent now, "" for nothing yet. Called when the client has read what was sent before, so that
   * nothing is retained for a slow one.
   */
  next: () => Promise<string>;
  /** Sent after so many milliseconds without anything else. */
  heartbeat: { ms: number; text: () => string };
  /** When the answer ends by itself, milliseconds since the epoch. */
  until: number;
  /** The last event that a client receives. */
  closingEvent: (reason: StreamEnd) => string;
  /** Milliseconds in which it must have read that. */
  drainMs: number;
  /** Called once. */
  ended: (reason: StreamEnd) => void;
}

/** The answer to one client: written while it reads, ended when it leaves or is sent away. */
export class EventStream {
  readonly content: ReadableStream<Uint8Array>;
  readonly #wakeup: Wakeup;
  readonly #over = new AbortController();
  readonly #encoder = new TextEncoder();
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #reason: StreamEnd | undefined;
  #closed = false;
  #late: ReturnType<typeof setTimeout> | undefined;
  /** Since when the client has not read more; undefined while it waits for more. */
  #unreadSince: number | undefined;

  constructor(private readonly options: StreamOptions) {
    this.#wakeup = new Wakeup(options.clock);
    this.#unreadSince = options.clock.now();
    this.content = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: () => this.#close("left"),
    }, { highWaterMark: 0 });
  }

  /** There is something new. */
  wake(): void {
    this.#wakeup.signal();
  }

  /** Milliseconds for which the client has left unread what it was sent. */
  unreadFor(now: number): number {
    return this.#unreadSince === undefined ? 0 : now - this.#unreadSince;
  }

  /** Sends the client away; one that does not read even that is cut off. Does nothing when it was sent away before. */
  end(reason: StreamEnd): void {
    if (this.#reason || this.#closed) return;
    this.#reason = reason;
    this.#late = setTimeout(() => this.#cut(), this.options.drainMs);
    this.#over.abort();
  }

  /** Cuts the client off. */
  cut(reason: StreamEnd): void {
    this.#reason ??= reason;
    this.#cut();
  }

  async #pull(): Promise<void> {
    this.#unreadSince = undefined;
    const text = await this.#piece();
    if (this.#closed) return;
    this.#unreadSince = this.options.clock.now();
    if (text !== "") this.#controller.enqueue(this.#encoder.encode(text));
    if (!this.#reason) return;
    this.#controller.close();
    this.#close(this.#reason);
  }

  /** Resolves with what the client is sent next. */
  async #piece(): Promise<string> {
    const { clock, until, heartbeat, next } = this.options;
    const silentUntil = clock.now() + heartbeat.ms;
    while (!this.#reason && !this.#closed) {
      this.#wakeup.reset();
      const text = await next();
      if (text !== "") return text;
      const now = clock.now();
      if (now >= until) this.end("time");
      else if (now >= silentUntil) return heartbeat.text();
      else await this.#wakeup.wait(Math.min(until, silentUntil) - now, this.#over.signal);
    }
    return this.#reason ? this.options.closingEvent(this.#reason) : "";
  }

  #cut(): void {
    if (this.#closed) return;
    this.#controller.error(new Error("the client does not read"));
    this.#close(this.#reason ?? "slow");
  }

  #close(reason: StreamEnd): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#late);
    this.#over.abort();
    this.options.ended(this.#reason ?? reason);
  }
}
