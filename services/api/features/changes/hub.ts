import { unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { type Filter, placeText } from "#services/api/features/changes/events.ts";
import { Feed } from "#services/api/features/changes/feed.ts";
import type { Following } from "#services/api/features/changes/limits.ts";
import {
  type Ending,
  type FeedMetrics,
  feedMetrics,
} from "#services/api/features/changes/metrics.ts";
import { ChangeReader } from "#services/api/features/changes/reader.ts";
import { EventStream } from "#services/api/features/changes/stream.ts";
import { Watch } from "#services/api/features/changes/watch.ts";

export type HubTools = Pick<Context, "db" | "graph" | "clock" | "log" | "metrics" | "config">;

/** Who asks to be told, of what, and from where on. */
export interface Asked {
  actor: Caller;
  request: Request;
  filter: Filter;
  /** Id of the last event that the client was told. */
  last: string | undefined;
  /** Seconds after which the answer ends. */
  wait: number;
}

/** Tells all clients of this process of changes, for as long as they may know, and not more of them than it can. */
export class ChangeHub {
  readonly #metrics: FeedMetrics;
  readonly #feed: Feed;
  readonly #watch: Watch;
  readonly #reads: ConcurrencyLimiter;
  readonly #places: ConcurrencyLimiter;
  #stopped = false;

  constructor(
    private readonly tools: HubTools,
    access: AccessControl,
    private readonly following: Following,
  ) {
    this.#metrics = feedMetrics(tools);
    this.#feed = new Feed(tools, this.#metrics, following);
    this.#watch = new Watch(tools, access, following);
    this.#reads = new ConcurrencyLimiter({
      atOnce: 2,
      maxWaiting: tools.config.server["max-change-streams"],
      waitMs: following.patienceMs,
      refused: "Too many clients that are far behind",
      waiting: this.#metrics.waiting,
    });
    this.#places = placesOf(tools.config.server, this.#metrics);
  }

  /** The answer to a client; throws 429 or 503 when too many follow, and 503 while PostgreSQL is down. */
  async open(asked: Asked): Promise<ReadableStream<Uint8Array>> {
    if (this.#stopped) throw unavailable("This process stops", 1);
    const release = await this.#places.enter(callerKey(asked.actor));
    const follower = { wake: () => stream.wake(), lost: () => stream.end("lost") };
    const late: { reader?: ChangeReader } = {};
    const stream = this.#streamFor(asked, () => late.reader!, (reason) => {
      this.#feed.leave(follower);
      this.#watch.remove(stream);
      release();
      this.#metrics.ended.inc({ reason });
    });
    try {
      await this.#feed.join(follower);
    } catch (error) {
      stream.cut("lost");
      throw error;
    }
    late.reader = this.#readerFor(asked);
    this.#watch.add(stream, asked);
    if (this.#stopped) stream.end("stopping");
    return stream.content;
  }

  /** Sends all clients away, to come back to another process; new ones get 503. */
  stop(): void {
    this.#stopped = true;
    this.#watch.endAll("stopping");
  }

  /** Resolves when nothing is read any more. */
  async idle(): Promise<void> {
    await this.#feed.idle();
  }

  #streamFor(
    { wait }: Asked,
    reader: () => ChangeReader,
    ended: (reason: Ending) => void,
  ): EventStream {
    const { clock, log } = this.tools;
    const { heartbeatMs, farewellMs } = this.following;
    const stream: EventStream = new EventStream({
      clock,
      heartbeat: { ms: heartbeatMs, text: () => `: still here\n${placeText(reader().place)}` },
      until: clock.now() + wait * 1_000,
      farewell: (reason) => `${this.#retry()}: ended: ${reason}\n\n`,
      farewellMs,
      ended,
      async next() {
        try {
          return await reader().next();
        } catch (error) {
          log.debug("a client cannot be told of changes", { error });
          stream.end("lost");
          return "";
        }
      },
    });
    return stream;
  }

  #readerFor({ filter, last }: Asked): ChangeReader {
    const { portion, portionsBehind } = this.following;
    const { db, clock } = this.tools;
    const [feed, metrics, reads] = [this.#feed, this.#metrics, this.#reads];
    const tools = { db, clock, feed, metrics, reads, portion, portionsBehind };
    return new ChangeReader(tools, filter, last, this.#retry());
  }

  /** Not all at the same time. */
  #retry(): string {
    const [least, most] = this.following.retryMs;
    return `retry: ${Math.round(least + Math.random() * (most - least))}\n`;
  }
}

/** Nobody waits for a place: a stream lasts for an hour. */
function placesOf(server: Context["config"]["server"], metrics: FeedMetrics): ConcurrencyLimiter {
  const [most, each] = [server["max-change-streams"], server["max-change-streams-per-caller"]];
  return new ConcurrencyLimiter({
    atOnce: most,
    ...(each > 0 && { atOncePerKey: each }),
    maxWaiting: 0,
    waitMs: 0,
    refused: `${most} clients follow already (server.max-change-streams)`,
    refusedKey: `You follow ${each} times already (server.max-change-streams-per-caller)`,
    retryAfter: 5,
    running: metrics.streams,
    refusals: metrics.refused,
  });
}
