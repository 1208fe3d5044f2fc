import { unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import {
  type ChangeMessage,
  type Cursor,
  cursorOf,
  eventText,
  type Filter,
  isAfter,
  messagesOf,
  placeText,
  readAfter,
  wants,
} from "#services/api/features/changes/events.ts";
import { ChangeFeed, type Portion } from "#services/api/features/changes/feed.ts";
import type { FollowLimits } from "#services/api/features/changes/limits.ts";
import {
  EventStream,
  type FeedMetrics,
  feedMetrics,
  type StreamEnd,
  Watch,
} from "#services/api/features/changes/stream.ts";

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

interface ReaderDeps extends Pick<Context, "db" | "clock"> {
  feed: ChangeFeed;
  metrics: FeedMetrics;
  /** Of reads from the table, by those who are far behind. */
  reads: ConcurrencyLimiter;
  /** Maximum number of changes of one piece, and most pieces from the table. */
  portion: number;
  portionsBehind: number;
}

/** The cursor of one client in the changes, and what is still to be sent to it. */
class ChangeReader {
  #place: Cursor;
  #pending: string;
  #portionsLeft: number;
  #projected: number | undefined;
  /** Whether its place was not ours yet when it came. */
  #ahead: boolean;

  /** `last`: the id of the last event that the client received; undefined: it starts now. `greeting` is sent first. */
  constructor(
    private readonly deps: ReaderDeps,
    private readonly filter: Filter,
    last: string | undefined,
    greeting: string,
  ) {
    const { position } = deps.feed;
    const known = last === undefined ? position : cursorOf(last);
    this.#place = known ?? position;
    this.#portionsLeft = deps.portionsBehind;
    this.#ahead = isAfter(this.#place, position);
    this.#pending = greeting + (known ? placeText(known) : this.#reset(position));
  }

  /** The place from which the client would go on. */
  get place(): Cursor {
    return this.#place;
  }

  /** The next text to send to the client, "" when nothing is new. Throws an `AppError` 503 while PostgreSQL is down. */
  async next(): Promise<string> {
    if (this.#ahead) await this.#checkAhead();
    for (;;) {
      const said = await this.#nextPortion();
      if (said !== "" || !isAfter(this.deps.feed.position, this.#place)) return said;
    }
  }

  async #nextPortion(): Promise<string> {
    const { feed, portion } = this.deps;
    const read = feed.after(this.#place, portion) ?? await this.#fromTable();
    this.#place = read?.upTo ?? this.#place;
    const said = this.#pending + (read ? this.#textOf(read.changes) : "") + this.#projection();
    this.#pending = "";
    return said;
  }

  #textOf(changes: ChangeMessage[]): string {
    const wanted = changes.filter((change) => wants(this.filter, change));
    for (const { kind } of wanted) this.deps.metrics.events.inc({ kind });
    return wanted.map(({ text }) => text).join("");
  }

  /** Undefined when the client has to reload everything; it is then notified. */
  async #fromTable(): Promise<Portion | undefined> {
    const { db, portion, reads } = this.deps;
    const page = await reads.run(() => readAfter(db, this.#place, portion));
    const known = page.oldest !== undefined && !isAfter(page.oldest, this.#place);
    if (known && this.#portionsLeft-- > 0) {
      return { changes: messagesOf(page.rows), upTo: page.position };
    }
    this.#startOver();
    return undefined;
  }

  /** A place that no transaction has reached yet was given by nobody here. */
  async #checkAhead(): Promise<void> {
    const { db, reads } = this.deps;
    const { next } = await reads.run(() => readAfter(db, this.#place, 1));
    this.#ahead = false;
    if (this.#place.xid > next) this.#startOver();
  }

  #startOver(): void {
    this.#place = this.deps.feed.position;
    this.#portionsLeft = this.deps.portionsBehind;
    this.#pending += this.#reset(this.#place);
  }

  #reset(place: Cursor): string {
    this.deps.metrics.events.inc({ kind: "reset" });
    const at = new Date(this.deps.clock.now()).toISOString();
    return eventText({ kind: "reset", at }, place);
  }

  /** The position of the lineage, when it has changed since it was last sent. */
  #projection(): string {
    const { feed: { projected: position }, clock, metrics } = this.deps;
    if (position === undefined || position === this.#projected) return "";
    this.#projected = position;
    if (this.filter.types.length > 0 && !this.filter.types.includes("projection")) return "";
    metrics.events.inc({ kind: "projection" });
    const at = new Date(clock.now()).toISOString();
    return eventText({ kind: "projection", at, position }, this.#place);
  }
}
