import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { noteApproved } from "#platform/stale/evaluate.ts";
import { sweepStale } from "#services/housekeeping/expiry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";

export const day = 86_400_000;
/** The default time of sweeps. */
export const now = Date.parse("2030-06-15T12:00:00.000Z");

/** What `sweepStale` needs, with these settings of `housekeeping.stale`. */
export const staleContext = (db: Database, stale: Record<string, unknown>, gauges: number[]) => ({
  db,
  config: Config.parse({ housekeeping: { stale } }),
  clock: { now: () => now, sleep: () => Promise.resolve() },
  log: silentLogger,
  metrics: {
    ...noMetrics,
    gauge: () => ({ set: (_: unknown, value: number) => void gauges.push(value) }),
  },
});

/** A data source of its own with a policy of ten days that deletes, and sweeps of it. */
export class StaleSource {
  /** Values that the gauge took. */
  readonly gauges: number[] = [];
  readonly catrn = `//collector/${crypto.randomUUID()}`;

  private constructor(private readonly db: Database, readonly id = 0) {}

  static async make(db: Database): Promise<StaleSource> {
    const made = new StaleSource(db);
    return Object.assign(made, { id: await seedSource(db, { catrn: made.catrn }) });
  }

  sweeping(stale: Record<string, unknown> = {}, at = now): AsyncGenerator<number> {
    const sources = [{ source: this.catrn, after: "10 d", act: "delete" }];
    return sweepStale(
      staleContext(this.db, { sources, ...stale }, this.gauges),
      new Date(at),
    );
  }

  /** How many expired. */
  async sweep(stale: Record<string, unknown> = {}, at = now): Promise<number> {
    let expired = 0;
    for await (const count of this.sweeping(stale, at)) expired += count;
    return expired;
  }

  /** An entity that was seen so many milliseconds ago; its id. */
  seen(ago: number, more: Parameters<typeof seedEntity>[1] = {}): Promise<number> {
    const lastIngestedAt = new Date(now - ago);
    return seedEntity(this.db, { sourceId: this.id, lastIngestedAt, ...more });
  }

  /** Has the source seen in both halves of ten days. */
  async alive(): Promise<void> {
    await this.seen(7 * day);
    await this.seen(day);
  }

  /** Entities that were not seen for twenty days. */
  async many(count: number): Promise<void> {
    await this.db.query(
      `INSERT INTO data_entity (catrn, type_id, class_ids, data_source_id, last_ingested_at)
       SELECT $4 || '/' || n, 1, '{1}', $2, $3 FROM generate_series(1, $1) n`,
      [count, this.id, new Date(now - 20 * day), this.catrn],
    );
  }

  approve(count: number, at = now): Promise<boolean> {
    return noteApproved(this.db, this.catrn, count, new Date(at).toISOString());
  }
}
