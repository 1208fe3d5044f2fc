import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Announcer } from "./announce.ts";
import type { Board } from "./board.ts";
import { type Lsn, parseLsn } from "./lsn.ts";
import { type Announcement, announcementOf } from "./record.ts";
import type { StreamMessage } from "./stream.ts";

/** Changes that may wait; then the socket is read no further. */
const maxWaiting = 2_000;
/** Changes of one lot. */
const lotSize = 500;

type Item = { announcement: Announcement } | { lsn: Lsn };

export interface PublisherParts {
  announcer: Announcer;
  board: Board;
  log: Logger;
  /** Everything before this place is in the event log. */
  confirm: (lsn: Lsn) => void;
}

/**
 * Between stream and event log: takes messages as they come, publishes all that wait as one lot,
 * and confirms a commit once everything before it is published.
 */
export class Publisher {
  /** Rejects with the first failure; nothing is published after it. */
  readonly failed: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  /** Nothing more is taken or confirmed by what arrives. */
  #closed = false;
  #items: Item[] = [];
  #inTransaction = false;
  #pumping: Promise<void> | undefined;
  #room: (() => void) | undefined;

  constructor(private readonly parts: PublisherParts) {
    this.failed = new Promise((_, reject) => {
      this.#fail = (error) => {
        this.#closed = true;
        this.#room?.();
        reject(error);
      };
    });
    this.failed.catch(() => {});
  }

  /** The promise stays open while too much waits. */
  take(message: StreamMessage): Promise<void> | void {
    if (message.tag === "begin") this.#inTransaction = true;
    if (message.tag === "unreadable") this.#unreadable(message.error);
    if (message.tag === "insert" && message.relation.name === "alert_event") {
      this.#push({ announcement: announcementOf(message.new) });
    }
    if (message.tag === "commit") {
      this.#inTransaction = false;
      if (message.commitEndLsn) this.#push({ lsn: parseLsn(message.commitEndLsn) });
    }
    if (this.#items.length < maxWaiting || this.#closed) return;
    return new Promise((room) => void (this.#room = room));
  }

  /** Nothing before `lsn` is still to come. */
  reached(lsn: Lsn): void {
    const idle = this.#items.length === 0 && !this.#pumping && !this.#inTransaction;
    if (idle && !this.#closed) this.parts.confirm(lsn);
  }

  /** Takes nothing more; resolves when all that was taken is published, or cannot be. */
  async finish(): Promise<void> {
    this.#closed = true;
    this.#room?.();
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
        const lot = this.#items.splice(0, lotSize);
        if (this.#items.length < maxWaiting) this.#room?.();
        await this.#publish(lot);
      }
    } catch (error) {
      this.#items = [];
      this.#fail(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #publish(lot: Item[]): Promise<void> {
    const announcements = lot.flatMap((item) => "announcement" in item ? item.announcement : []);
    if (announcements.length > 0) await this.parts.announcer.announce(announcements, "stream");
    const last = lot.findLast((item) => "lsn" in item);
    if (last) this.parts.confirm(last.lsn);
  }

  /** It stays unpublished in the table, from which it is announced a little later. */
  #unreadable(error: unknown): void {
    this.parts.board.quarantined("wal_message_unreadable");
    this.parts.log.error("a message of the write-ahead log cannot be read", {
      error: messageOf(error),
    });
  }
}
