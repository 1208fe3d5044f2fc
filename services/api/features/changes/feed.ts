import { Loop } from "#kit/loop.ts";
import type { Context } from "#platform/context.ts";
import {
  type ChangeMessage,
  type Cursor,
  isAfter,
  messagesOf,
  readAfter,
  readNewest,
} from "#services/api/features/changes/events.ts";
import type { FollowLimits } from "#services/api/features/changes/limits.ts";
import type { FeedMetrics } from "#services/api/features/changes/stream.ts";

type FeedOptions = Pick<
  FollowLimits,
  "buffered" | "page" | "pollMs" | "projectionMs" | "maxWaitMs"
>;

type FeedDeps = Pick<Context, "db" | "graph" | "clock" | "log">;

/** Notified when there is something new to read, and when reading has failed for long. */
export interface Follower {
  wake(): void;
  lost(): void;
}

/**
 * Reads the changes for all clients of this process, while there are any. Each of them then reads from it at its own
 * pace.
 */
export class ChangeFeed {
  readonly #followers = new Set<Follower>();
  readonly #loop: Loop;
  #ring: RingBuffer | undefined;
  #turn: Promise<void> = Promise.resolve();
  #projected: number | undefined;
  #isPolling = false;
  #polledAt = 0;
  #failingSince: number | undefined;

  constructor(
    private readonly deps: FeedDeps,
    private readonly metrics: FeedMetrics,
    private readonly options: FeedOptions,
  ) {
    const { clock } = deps;
    this.#loop = new Loop({
      clock,
      retry: { initial: 200, max: 2_000 },
      round: () => this.#read(),
      failed: (error) => this.#failed(error),
    });
  }

  /** The position of the lineage that answers are given at, as of a moment ago; undefined while it is not known. */
  get projected(): number | undefined {
    return this.#projected;
  }

  /** Up to here everything is known; for followers only. */
  get position(): Cursor {
    return this.#ring!.position;
  }

  /** At most `max` changes after a place; undefined when they have to be read from the table. */
  after(cursor: Cursor, max: number): Portion | undefined {
    return this.#ring!.after(cursor, max);
  }

  /** Resolves once changes are read; throws an `AppError` 503 while PostgreSQL is down. */
  async join(follower: Follower): Promise<void> {
    this.#followers.add(follower);
    await this.#inTurn(async () => {
      if (this.#followers.size > 0 && !this.#ring) await this.#begin();
    });
  }

  /** The last one who leaves ends the reading. */
  leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#inTurn(async () => {
      if (this.#followers.size === 0 && this.#ring) await this.#end();
    }).catch((error) => this.deps.log.warn("change reader did not end", { error }));
  }

  /** Resolves when nothing is read any more. */
  async idle(): Promise<void> {
    await this.#turn.catch(() => {});
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turn = this.#turn.catch(() => {}).then(work);
  }

  async #begin(): Promise<void> {
    const { buffered } = this.options;
    const { rows, position } = await readNewest(this.deps.db, buffered);
    // Whatever the first of them is, what came before it is not known here.
    const [first, ...others] = rows;
    this.#ring = new RingBuffer(buffered, first?.at ?? position);
    this.#ring.add(messagesOf(others), position);
    this.#projected = undefined;
    this.#polledAt = 0;
    await this.#pollProjection();
    this.#loop.start((error) => this.deps.log.error("change stream is not read", { error }));
  }

  async #end(): Promise<void> {
    await this.#loop.stop();
    this.#ring = undefined;
    this.#failingSince = undefined;
  }

  async #read(): Promise<number> {
    const ring = this.#ring!;
    const { page, buffered, pollMs } = this.options;
    const read = await readAfter(this.deps.db, ring.position, page);
    this.#failingSince = undefined;
    if (read.oldest && isAfter(read.oldest, ring.position)) {
      // This process was suspended for longer than changes are stored: nobody here knows them any more.
      this.#ring = new RingBuffer(buffered, read.position);
      this.#notify();
      return pollMs;
    }
    const changes = messagesOf(read.rows);
    ring.add(changes, read.position);
    this.#measure(changes);
    if (changes.length > 0) this.#notify();
    void this.#pollProjection();
    return read.full ? 0 : pollMs;
  }

  #measure(changes: ChangeMessage[]): void {
    const now = this.deps.clock.now();
    for (const { occurredAt } of changes) {
      this.metrics.delay.observe({}, Math.max(0, now - occurredAt) / 1_000);
    }
  }

  #notify(): void {
    for (const follower of this.#followers) follower.wake();
  }

  #failed(error: unknown): void {
    const { clock, log } = this.deps;
    const now = clock.now();
    if (this.#failingSince === undefined) {
      log.warn("change stream waits for the metadata store", { error });
      this.#failingSince = now;
    }
    if (now - this.#failingSince < this.options.maxWaitMs) return;
    for (const follower of this.#followers) follower.lost();
  }

  /** Never rejects: while the graph is down its position is what it was. */
  async #pollProjection(): Promise<void> {
    const { clock, graph, log } = this.deps;
    const now = clock.now();
    if (this.#isPolling || now - this.#polledAt < this.options.projectionMs) return;
    this.#isPolling = true;
    this.#polledAt = now;
    try {
      const position = await graph.position(positionMs);
      const moved = position !== this.#projected;
      this.#projected = position;
      if (moved) this.#notify();
    } catch (error) {
      log.debug("position of the lineage is unknown", { error });
    } finally {
      this.#isPolling = false;
    }
  }
}

/** Maximum time to read the position of the graph, in milliseconds. */
export const positionMs = 2_000;

/** What a reader at a place is given: changes after it, and the place where it then is. */
export interface Portion {
  changes: ChangeMessage[];
  upTo: Cursor;
}

/** The newest changes, for readers who are near the end. */
class RingBuffer {
  #items: ChangeMessage[] = [];
  #floor: Cursor;
  #position: Cursor;

  constructor(private readonly max: number, from: Cursor) {
    this.#floor = from;
    this.#position = from;
  }

  /** Up to here everything is known. */
  get position(): Cursor {
    return this.#position;
  }

  add(changes: ChangeMessage[], position: Cursor): void {
    this.#items.push(...changes);
    this.#position = position;
    const surplus = this.#items.length - this.max;
    if (surplus > 0) this.#floor = this.#items.splice(0, surplus).at(-1)!.at;
  }

  /** At most `max` changes after a cursor; undefined when some after it are not buffered any more. */
  after(cursor: Cursor, max: number): Portion | undefined {
    if (isAfter(this.#floor, cursor)) return undefined;
    // A place beyond ours was given by a replica that had read further.
    if (!isAfter(this.#position, cursor)) return { changes: [], upTo: cursor };
    const first = this.#items.findIndex(({ at }) => isAfter(at, cursor));
    const changes = first < 0 ? [] : this.#items.slice(first, first + max);
    const whole = first < 0 || first + max >= this.#items.length;
    return { changes, upTo: whole ? this.#position : changes.at(-1)!.at };
  }
}
