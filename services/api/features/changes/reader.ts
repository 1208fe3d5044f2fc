import type { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import {
  type ChangeMessage,
  eventText,
  type Filter,
  messagesOf,
  placeText,
  wants,
} from "#services/api/features/changes/events.ts";
import type { ChangeFeed, Portion } from "#services/api/features/changes/feed.ts";
import type { FeedMetrics } from "#services/api/features/changes/metrics.ts";
import {
  type Cursor,
  cursorOf,
  isAfter,
  readAfter,
} from "#services/api/features/changes/queries.ts";

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
export class ChangeReader {
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
