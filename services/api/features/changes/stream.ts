import type { Clock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import { Wakeup } from "#kit/loop.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { FollowLimits } from "#services/api/features/changes/limits.ts";
import { changeTypes } from "#services/api/features/changes/schemas.ts";

/** Why a change stream ended. */
export const endings = ["left", "time", "slow", "access", "lost", "stopping"] as const;
export type StreamEnd = (typeof endings)[number];

interface StreamOptions {
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

interface WatchedStream {
  stream: EventStream;
  /** The request with nothing but its credentials. */
  request: Request;
  address: string | undefined;
  /** Since when they cannot be checked. */
  uncheckedSince?: number;
}

/** Credentials that are checked at a time. */
const checksAtOnce = 8;

/**
 * Sends clients away whose credentials are no good any more, or who do not read. Every answer to them is one long
 * request: without this, what is revoked would go on for as long as it lasts.
 */
export class Watch {
  readonly #watched = new Map<EventStream, WatchedStream>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isChecking = false;

  constructor(
    private readonly deps: Pick<Context, "clock">,
    private readonly access: AccessControl,
    private readonly options: Pick<FollowLimits, "recheckMs" | "maxWaitMs" | "slowMs">,
  ) {}

  add(stream: EventStream, { request, actor }: { request: Request; actor: Caller }): void {
    const { address } = actor;
    const credentials = new Request("http://localhost/", { headers: new Headers(request.headers) });
    this.#watched.set(stream, { stream, request: credentials, address });
    this.#timer ??= setInterval(() => void this.#check(), this.options.recheckMs);
  }

  remove(stream: EventStream): void {
    this.#watched.delete(stream);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  endAll(reason: StreamEnd): void {
    for (const stream of [...this.#watched.keys()]) stream.end(reason);
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const waiting = [...this.#watched.values()];
    const work = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await this.#checkOne(one);
    };
    await Promise.all(Array.from({ length: checksAtOnce }, work));
    this.#isChecking = false;
  }

  async #checkOne(one: WatchedStream): Promise<void> {
    const { clock } = this.deps;
    const { authenticator, authorizer } = this.access;
    const { stream, request, address } = one;
    if (stream.unreadFor(clock.now()) > this.options.slowMs) return stream.cut("slow");
    try {
      const caller = await authenticator.authenticate(request, address, "signed-in", "watch");
      await authorizer.authorize(caller, "signed-in");
      delete one.uncheckedSince;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return stream.end("access");
      one.uncheckedSince ??= clock.now();
      if (clock.now() - one.uncheckedSince > this.options.maxWaitMs) stream.end("lost");
    }
  }
}

export type FeedMetrics = ReturnType<typeof feedMetrics>;

/** Figures of those who follow the changes. */
export function feedMetrics({ metrics }: Pick<Context, "metrics">) {
  const made = {
    streams: metrics.gauge("tributary_change_streams", "Clients connected to the change stream"),
    events: metrics.counter(
      "tributary_change_events_total",
      "Events sent to clients of the change stream",
      ["kind"],
    ),
    ended: metrics.counter(
      "tributary_change_streams_ended_total",
      "Clients of the change stream that were disconnected, by reason",
      ["reason"],
    ),
    refused: metrics.counter(
      "tributary_change_streams_refused_total",
      "Clients refused by the change stream because too many were connected",
      ["limit"],
    ),
    delay: metrics.histogram(
      "tributary_change_delay_seconds",
      "Time from a change until the streaming process has read it",
    ),
    waiting: metrics.gauge(
      "tributary_change_reads_waiting",
      "Clients of the change stream that lag far behind and are waiting to read",
    ),
  };
  for (const kind of [...changeTypes, "reset"]) made.events.inc({ kind }, 0);
  for (const reason of endings) made.ended.inc({ reason }, 0);
  return made;
}
