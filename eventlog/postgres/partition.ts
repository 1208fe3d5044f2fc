import { InFlightRecords } from "#eventlog/in-flight.ts";
import type { BatchContext, ConsumeOptions, LogRecord } from "#eventlog/port.ts";
import { PartitionLostError } from "#eventlog/records.ts";
import type { OwnValues, PartitionValues } from "#eventlog/postgres/own-values.ts";
import { fetchRecords } from "#eventlog/postgres/records.ts";
import * as sql from "#eventlog/postgres/queries.ts";
import type { Claim } from "#eventlog/postgres/queries.ts";
import type { Database } from "#metadata/postgres/database.ts";

interface OwnedPartitionOptions {
  db: Database;
  consume: ConsumeOptions;
  membership: Membership;
  partition: number;
  /** Offset of the first record that is not done. */
  committed: number;
  /** What this process appended itself. */
  own: OwnValues;
  /** Checks that the session is still alive; throws when it is not. */
  prove: () => Promise<void>;
}

/** One partition while this consumer owns it: fetches, delivers, commits. One delivery at a time. */
export class OwnedPartition {
  readonly partition: number;
  readonly #abort = new AbortController();
  readonly #values: PartitionValues;
  #committed: number;
  #lost = false;
  readonly #inFlight: InFlightRecords;
  /** How the handler takes more. */
  #take: ((records: LogRecord[]) => boolean) | undefined;
  #next = 0;
  #count = 0;
  #fetching = false;
  /** Whether records came since the last fetch began. */
  #more = false;
  /** Deliveries that threw since a record was last done. */
  failures = 0;

  constructor(private readonly options: OwnedPartitionOptions) {
    this.partition = options.partition;
    this.#inFlight = new InFlightRecords(options.consume);
    this.#committed = options.committed;
    this.#values = options.own.open(options.consume.topic, options.partition, options.committed);
    this.signal.addEventListener("abort", () => this.#values.close(), { once: true });
  }

  get committed(): number {
    return this.#committed;
  }

  /** Aborts when this consumer should hand the partition over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Asks the handler to finish; records it finishes are still committed. */
  finish(): void {
    this.#abort.abort();
  }

  /** Another consumer owns the partition now: the running delivery must not mark anything done. */
  lose(): void {
    this.#lost = true;
    this.#abort.abort();
  }

  /** Fetches and handles the next records; returns how many (0: none). Throws the handler's error. */
  async deliver(): Promise<number> {
    this.#inFlight.clear();
    this.#count = 0;
    const records = await this.#fetch(this.#committed, this.options.consume);
    if (records.length === 0 || this.signal.aborted) return 0;
    this.#addInFlight(records);
    try {
      await this.options.consume.handler(records, this.#context());
    } finally {
      this.#take = undefined;
    }
    await this.#done(this.#next - 1);
    return this.#count;
  }

  /** Has records that came since join the running delivery, where its handler takes more and as far as there is room. */
  async join(): Promise<void> {
    this.#more = true;
    const take = this.#take;
    while (take && this.#more && !this.#fetching && !this.signal.aborted) {
      const { capacity } = this.#inFlight;
      if (!capacity) return;
      this.#more = false;
      this.#fetching = true;
      const records = await this.#fetch(this.#next, capacity).finally(() => this.#fetching = false);
      if (records.length === 0 || this.#take !== take || !take(records)) return;
      this.#addInFlight(records);
    }
  }

  async #fetch(
    from: number,
    { maxRecords, maxBytes }: { maxRecords: number; maxBytes: number },
  ): Promise<LogRecord[]> {
    const { db, consume } = this.options;
    return await fetchRecords(db, {
      topic: consume.topic,
      partition: this.partition,
      from,
      to: Number.MAX_SAFE_INTEGER,
      maxRecords,
      maxBytes,
    }, this.#values);
  }

  #addInFlight(records: LogRecord[]): void {
    for (const { offset } of records) this.#values.drop(offset);
    this.#inFlight.add(records);
    this.#next = records.at(-1)!.offset + 1;
    this.#count += records.length;
  }

  #context(): BatchContext {
    return {
      signal: this.signal,
      done: (offset) => this.#done(offset),
      join: (take) => void (this.#take = take),
      heartbeat: async () => {
        if (!this.#lost) await this.options.prove();
        if (this.#lost) throw this.#lostError();
      },
    };
  }

  async #done(offset: number): Promise<void> {
    if (this.#lost) throw this.#lostError();
    if (offset < this.#committed) return;
    const done = await this.options.membership.commit(this.partition, offset + 1);
    if (!done) {
      this.lose();
      throw this.#lostError();
    }
    this.#committed = offset + 1;
    this.failures = 0;
    this.#inFlight.done(offset);
    this.#values.forget(offset + 1);
  }

  #lostError(): PartitionLostError {
    return new PartitionLostError(this.options.consume.topic, this.partition);
  }
}

interface MembershipOptions {
  db: Database;
  group: string;
  topic: string;
  /** Milliseconds without a heartbeat after which a member is removed, by PostgreSQL's clock. */
  sessionMs: number;
  from: "earliest" | "latest";
}

/**
 * One session in a consumer group. A session that has ended never returns: its heartbeat resolves with null,
 * its commits do nothing, and its consumer has to join again under another id.
 */
export class Membership {
  private constructor(readonly id: string, private readonly options: MembershipOptions) {}

  static async join(options: MembershipOptions): Promise<Membership> {
    const { db, group, topic, sessionMs, from } = options;
    const id = crypto.randomUUID();
    await db.query(sql.join, [group, topic, id, sessionMs, from === "latest"]);
    return new Membership(id, options);
  }

  /** The partitions owned now; null when the session has ended. */
  async heartbeat(): Promise<Claim[] | null> {
    const { db, group, topic, sessionMs } = this.options;
    const rows = await db.query(sql.heartbeat, [group, topic, this.id, sessionMs]);
    return rows[0]?.claims ?? null;
  }

  /** Resolves with false, and changes nothing, when the partition or the session was lost. */
  async commit(partition: number, nextOffset: number): Promise<boolean> {
    const { db, group, topic } = this.options;
    const rows = await db.query(sql.commit, [group, topic, partition, this.id, nextOffset]);
    return rows[0]?.done ?? false;
  }

  async release(partition: number): Promise<void> {
    const { db, group, topic } = this.options;
    await db.query(sql.release, [group, topic, partition, this.id]);
  }

  async leave(): Promise<void> {
    const { db, group, topic } = this.options;
    await db.query(sql.leave, [group, topic, this.id]);
  }
}
