import { unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { type Filter, placeText } from "#services/api/features/changes/events.ts";
import { ChangeFeed } from "#services/api/features/changes/feed.ts";
import type { FollowLimits } from "#services/api/features/changes/limits.ts";
import {
  type FeedMetrics,
  feedMetrics,
  type StreamEnd,
} from "#services/api/features/changes/metrics.ts";
import { ChangeReader } from "#services/api/features/changes/reader.ts";
import { EventStream } from "#services/api/features/changes/stream.ts";
import { Watch } from "#services/api/features/changes/watch.ts";

type HubDeps = Pick<Context, "db" | "graph" | "clock" | "log" | "metrics" | "config">;

/** Who follows, what, and from which event on. */
interface FollowRequest {
  actor: Caller;
  request: Request;
  filter: Filter;
  /** Id of the last event that the client received. */
  last: string | undefined;
  /** Seconds after which the answer ends. */
  wait: number;
}

/** Sends changes to all clients of this process, as long as they are authorized, up to the limits. */
export class ChangeHub {
  readonly #metrics: FeedMetrics;
  readonly #feed: ChangeFeed;
  readonly #watch: Watch;
  readonly #reads: ConcurrencyLimiter;
  readonly #places: ConcurrencyLimiter;
  #stopped = false;

  constructor(
    private readonly deps: HubDeps,
    access: AccessControl,
    private readonly following: FollowLimits,
  ) {
    this.#metrics = feedMetrics(deps);
    this.#feed = new ChangeFeed(deps, this.#metrics, following);
    this.#watch = new Watch(deps, access, following);
    this.#reads = new ConcurrencyLimiter({
      concurrency: 2,
      maxWaiting: deps.config.server["max-change-streams"],
      waitMs: following.maxWaitMs,
      refused: "Too many clients that are far behind",
      waiting: this.#metrics.waiting,
    });
    this.#places = placesOf(deps.config.server, this.#metrics);
  }

  /** The answer to a client; throws 429 or 503 when too many follow, and 503 while PostgreSQL is down. */
  async open(request: FollowRequest): Promise<ReadableStream<Uint8Array>> {
    if (this.#stopped) throw unavailable("This process stops", 1);
    const release = await this.#places.enter(callerKey(request.actor));
    const follower = { wake: () => stream.wake(), lost: () => stream.end("lost") };
    const late: { reader?: ChangeReader } = {};
    const stream = this.#streamFor(request, () => late.reader!, (reason) => {
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
    late.reader = this.#readerFor(request);
    this.#watch.add(stream, request);
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
    { wait }: FollowRequest,
    reader: () => ChangeReader,
    ended: (reason: StreamEnd) => void,
  ): EventStream {
    const { clock, log } = this.deps;
    const { heartbeatMs, drainMs } = this.following;
    const stream: EventStream = new EventStream({
      clock,
      heartbeat: { ms: heartbeatMs, text: () => `: still here\n${placeText(reader().place)}` },
      until: clock.now() + wait * 1_000,
      closingEvent: (reason) => `${this.#retry()}: ended: ${reason}\n\n`,
      drainMs,
      ended,
      async next() {
        try {
          return await reader().next();
        } catch (error) {
          log.debug("changes cannot be sent to a client", { error });
          stream.end("lost");
          return "";
        }
      },
    });
    return stream;
  }

  #readerFor({ filter, last }: FollowRequest): ChangeReader {
    const { portion, portionsBehind } = this.following;
    const { db, clock } = this.deps;
    const [feed, metrics, reads] = [this.#feed, this.#metrics, this.#reads];
    const deps = { db, clock, feed, metrics, reads, portion, portionsBehind };
    return new ChangeReader(deps, filter, last, this.#retry());
  }

  /** Not all at the same time. */
  #retry(): string {
    const [min, max] = this.following.retryMs;
    return `retry: ${Math.round(min + Math.random() * (max - min))}\n`;
  }
}

/** Nobody waits for a place: a stream lasts for an hour. */
function placesOf(server: Context["config"]["server"], metrics: FeedMetrics): ConcurrencyLimiter {
  const [max, each] = [server["max-change-streams"], server["max-change-streams-per-caller"]];
  return new ConcurrencyLimiter({
    concurrency: max,
    ...(each > 0 && { concurrencyPerKey: each }),
    maxWaiting: 0,
    waitMs: 0,
    refused: `${max} clients follow already (server.max-change-streams)`,
    refusedKey: `You follow ${each} times already (server.max-change-streams-per-caller)`,
    retryAfter: 5,
    running: metrics.streams,
    refusals: metrics.refused,
  });
}
