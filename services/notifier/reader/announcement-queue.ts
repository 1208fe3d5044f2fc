import type { Context } from "#platform/context.ts";
import { parseLsn } from "#metadata/postgres/history/compare.ts";
import { messageOf } from "#kit/errors.ts";
import { type Announcement, announcementOf, type Announcer } from "./announce.ts";
import type { ReaderStatusReporter } from "./status.ts";
import { announced, visible } from "./feed.queries.ts";
import type { Lsn, StreamMessage } from "./stream.ts";

/** Changes that may wait; then the socket is read no further. */
const maxWaiting = 2_000;
/** Changes of one batch. */
const batchSize = 500;

/** Milliseconds until the second look whether a transaction is over, the most between two, and that a stop waits for it. */
const firstLookMs = 1;
const longestLookMs = 8;
const stopMs = 2_000;

type Item = { announcement: Announcement; xid: number } | { lsn: Lsn };

interface AnnouncementQueueDeps extends Pick<Context, "db" | "clock" | "log"> {
  announcer: Announcer;
  status: ReaderStatusReporter;
  /** Everything before this place is in the event log. */
  confirm: (lsn: Lsn) => void;
}

/**
 * Between stream and event log: takes messages as they come, publishes all that wait as one batch,
 * and confirms a commit once everything before it is published.
 */
export class AnnouncementQueue {
  /** Rejects with the first failure; nothing is published after it. */
  readonly failed: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  /** Nothing more is taken or confirmed by what arrives. */
  #closed = false;
  #items: Item[] = [];
  /** Number of the transaction whose changes are being announced; null between two. */
  #xid: number | null = null;
  #pumping: Promise<void> | undefined;
  #onCapacity: (() => void) | undefined;

  constructor(private readonly deps: AnnouncementQueueDeps) {
    this.failed = new Promise((_, reject) => {
      this.#fail = (error) => {
        this.#closed = true;
        this.#onCapacity?.();
        reject(error);
      };
    });
    this.failed.catch(() => {});
  }

  /** The promise stays open while too much waits. */
  take(message: StreamMessage): Promise<void> | void {
    if (message.tag === "begin") this.#xid = message.xid >>> 0;
    if (message.tag === "unreadable") this.#unreadable(message.error);
    if (message.tag === "insert" && message.relation.name === "alert_event") {
      this.#push({ announcement: announcementOf(message.new), xid: this.#xid ?? 0 });
    }
    if (message.tag === "commit") {
      this.#xid = null;
      if (message.commitEndLsn) this.#push({ lsn: parseLsn(message.commitEndLsn) });
    }
    if (this.#items.length < maxWaiting || this.#closed) return;
    return new Promise((onCapacity) => void (this.#onCapacity = onCapacity));
  }

  /** Nothing before `lsn` is still to come. */
  reached(lsn: Lsn): void {
    const idle = this.#items.length === 0 && !this.#pumping && this.#xid === null;
    if (idle && !this.#closed) this.deps.confirm(lsn);
  }

  /** Takes nothing more; resolves when all that was taken is published, or cannot be. */
  async finish(): Promise<void> {
    this.#closed = true;
    this.#onCapacity?.();
    await this.#pumping;
  }

  #push(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#pumping ??= this.#pump();
  }

  async #pump(): Promise<void> {
    try {
      // What arrived together is published together.
      await Promise.resolve();
      while (this.#items.length > 0) {
        const batch = this.#items.splice(0, batchSize);
        if (this.#items.length < maxWaiting) this.#onCapacity?.();
        await this.#publish(batch);
      }
    } catch (error) {
      this.#items = [];
      this.#fail(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #publish(batch: Item[]): Promise<void> {
    const changes = batch.filter((item) => "announcement" in item);
    if (changes.length > 0) {
      await this.#visible([...new Set(changes.map(({ xid }) => xid))]);
      const fresh = await this.#unannounced(changes.map((c) => c.announcement));
      if (fresh.length > 0) await this.deps.announcer.announce(fresh, "stream");
    }
    const last = batch.findLast((item) => "lsn" in item);
    if (last) this.deps.confirm(last.lsn);
  }

  /** A restarted stream repeats what was not confirmed; skipping that lets it continue. */
  async #unannounced(changes: Announcement[]): Promise<Announcement[]> {
    const ids = changes.flatMap(({ id }) => id ?? []);
    const rows = await this.deps.db.query(announced, [ids]);
    const known = new Set(rows.map(({ id }) => id));
    return changes.filter(({ id }) => id === undefined || id === null || !known.has(id));
  }

  /** A recipient of a change must find it in the database. */
  async #visible(xids: number[]): Promise<void> {
    const { db, clock } = this.deps;
    for (let waited = 0, ms = firstLookMs;; waited += ms, ms = Math.min(2 * ms, longestLookMs)) {
      const [row] = await db.query(visible, [xids]);
      if (row?.visible) return;
      if (this.#closed && waited > stopMs) throw new Error("stopped before a commit was complete");
      await clock.sleep(ms);
    }
  }

  /** It stays unpublished in the table, from which it is announced a little later. */
  #unreadable(error: unknown): void {
    this.deps.status.quarantined("wal_message_unreadable");
    this.deps.log.error("write-ahead log message cannot be read", {
      error: messageOf(error),
    });
  }
}
