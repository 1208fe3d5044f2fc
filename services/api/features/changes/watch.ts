import { AppError } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { StreamEnd } from "#services/api/features/changes/metrics.ts";
import type { EventStream } from "#services/api/features/changes/stream.ts";

interface WatchOptions {
  /** Milliseconds between two looks. */
  recheckMs: number;
  /** Milliseconds for which credentials may not be checkable. */
  maxWaitMs: number;
  /** Milliseconds that a client may leave unread what it was sent. */
  slowMs: number;
}

interface WatchedStream {
  stream: EventStream;
  /** The request with nothing but its credentials. */
  request: Request;
  address: string | undefined;
  /** Since when they cannot be checked. */
  uncheckedSince?: number;
}

/** Looks at a time. */
const concurrency = 8;

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
    private readonly options: WatchOptions,
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
    await Promise.all(Array.from({ length: concurrency }, work));
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
