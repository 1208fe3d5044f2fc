import { ingestionBatches } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Who applies batches. */
const group = "ingest-consumer";

/** Milliseconds between two looks at the log. */
const lookMs = 2_000;

const databaseTime = statement<{ now: number }>("ol-database-time")`
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

/** The end of the log at a moment: of each partition that was not applied to its end, that end. */
interface Mark {
  at: number;
  ends: Map<number, number>;
}

/** Tells up to which moment the batches of the log are applied. */
export class AppliedBatches {
  #mark: Mark | null = null;
  #until: number | null = null;
  #looked = -Infinity;

  constructor(
    private readonly parts: { db: Database; events: EventLog; clock: Clock; log: Logger },
  ) {}

  /**
   * Milliseconds since the epoch by the clock of the database: every batch that the log held then is applied. null
   * while none such is known. A log that does not answer tells nothing new.
   */
  async until(): Promise<number | null> {
    const { clock, log } = this.parts;
    if (clock.now() - this.#looked < lookMs) return this.#until;
    this.#looked = clock.now();
    try {
      await this.#look();
    } catch (error) {
      log.debug("nothing is known of the batches that are applied", { error: messageOf(error) });
    }
    return this.#until;
  }

  async #look(): Promise<void> {
    const { db, events } = this.parts;
    const [time] = await db.query(databaseTime);
    const lags = await events.lag(group, ingestionBatches);
    const reached = (mark: Mark) =>
      lags.every(({ partition, committed, lag }) =>
        lag === 0 || committed >= (mark.ends.get(partition) ?? 0)
      );
    if (this.#mark && reached(this.#mark)) {
      this.#until = this.#mark.at;
      this.#mark = null;
    }
    const behind = lags.filter(({ lag }) => lag > 0);
    if (behind.length === 0) this.#until = time!.now;
    else {this.#mark ??= {
        at: time!.now,
        ends: new Map(behind.map((one) => [one.partition, one.end])),
      };}
  }
}
