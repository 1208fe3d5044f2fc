import { parseLsn } from "#metadata/postgres/history/compare.ts";
import { systemClock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { announcementOf, type Announcer, type RawRow } from "./announce.ts";
import * as sql from "./feed.queries.ts";
import type { Lsn } from "./stream.ts";

const batchSize = 500;
/** Milliseconds between two looks whether older transactions are over. */
const endedMs = 50;

interface Candidate {
  id: number;
  lsn: Lsn;
  xmax: string;
}

/**
 * Announces rows of the table that the stream missed. The stream is for speed and the table is the
 * truth: each change after the settled mark that the event log lacks is announced from here.
 */
export class TableFeed {
  #candidate: Candidate | null = null;

  constructor(
    private readonly db: Database,
    private readonly announcer: Pick<Announcer, "announce">,
    private readonly log: Logger,
  ) {}

  /** Announces what was missed, in order of ids, and returns how many; the stream must be paused meanwhile. */
  async fillGap(signal: AbortSignal): Promise<number> {
    const announced = await this.#sweep(null, signal);
    if (!signal.aborted) await this.db.query(sql.closeGap);
    return announced;
  }

  /**
   * Moves the settled mark up and forgets the marks below it. Called again and again: a candidate is
   * noted first, and settled once the stream is past it and no older transaction is left.
   */
  async settle(confirmed: Lsn, signal: AbortSignal): Promise<void> {
    const candidate = this.#candidate;
    if (candidate === null) {
      this.#candidate = await this.#nextCandidate();
      return;
    }
    if (confirmed < candidate.lsn) return;
    if (!await this.#hasEnded(candidate)) return;
    const missed = await this.#sweep(candidate.id, signal);
    if (missed > 0) {
      const message = "alert changes missing in the stream are announced from the table";
      this.log.warn(message, { events: missed });
    }
    if (signal.aborted) return;
    await this.db.query(sql.settle, [candidate.id]);
    this.#candidate = null;
  }

  /**
   * Announces from the table whatever was committed by now and settles it, without the stream: the
   * way out where the stream brings more than can be held, such as one vast transaction.
   */
  async overtake(signal: AbortSignal): Promise<void> {
    const candidate = await this.#nextCandidate();
    if (candidate === null) return;
    while (!await this.#hasEnded(candidate)) {
      await systemClock.sleep(endedMs, signal);
      if (signal.aborted) return;
    }
    await this.#sweep(candidate.id, signal);
    if (!signal.aborted) await this.db.query(sql.settle, [candidate.id]);
  }

  /** Id up to which everything is announced, which the stream need not repeat. */
  async settledId(): Promise<number> {
    const [row] = await this.db.query<{ id: number }>(sql.settledId);
    return row?.id ?? 0;
  }

  async #nextCandidate(): Promise<Candidate | null> {
    const [row] = await this.db.query<{ id: number | null; lsn: string; xmax: string }>(
      sql.candidate,
    );
    return row && row.id !== null ? { id: row.id, lsn: parseLsn(row.lsn), xmax: row.xmax } : null;
  }

  /** Whether all transactions that had begun at the candidate have ended. */
  async #hasEnded({ xmax }: Candidate): Promise<boolean> {
    const [row] = await this.db.query<{ ended: boolean }>(sql.ended, [xmax]);
    return row!.ended;
  }

  async #sweep(upTo: number | null, signal: AbortSignal): Promise<number> {
    let announced = 0;
    for (let after = 0; !signal.aborted;) {
      const rows = await this.db.query<RawRow>(sql.unpublished, [after, upTo, batchSize]);
      if (rows.length === 0) break;
      await this.announcer.announce(rows.map(announcementOf), "table");
      announced += rows.length;
      after = Number(rows.at(-1)!.id);
    }
    return announced;
  }
}
