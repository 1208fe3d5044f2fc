import { forgetHandled } from "#eventlog/dead-letters.ts";
import type { Context } from "#platform/context.ts";
import { switchDueStatuses } from "#services/api/features/statuses/service.ts";
import * as expiry from "#services/api/housekeeping/expiry.ts";
import { purgeDeleted, sweepHollow } from "#services/api/housekeeping/purge.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** One task of housekeeping. */
export interface Job {
  /** Label of metrics and logs. */
  name: string;
  /** Milliseconds between the starts of two runs. */
  every: number;
  /**
   * Does the work due at `now` in bounded lots, each a transaction of its own; yields after each how
   * many items it dealt with. Whoever drives it may stop between two lots.
   */
  lots(now: Date): AsyncGenerator<number>;
}

/** Work that other parts of the system leave to housekeeping. */
export interface HousekeepingHooks {
  /** Removes what an embedded event log keeps no longer, some of it; returns how much, 0 at the end. */
  trimEventLog?: (now: Date) => Promise<number>;
}

type Tools = Pick<Context, "db" | "config" | "graph">;

/** Search sessions that are kept; starting one asks for nothing but a request. */
export const maxSessions = 100_000;

const rows = 2_000;
const entities = 200;

/** Every job, in the order they are run when several are due. */
export function housekeepingJobs(context: Tools, hooks: HousekeepingHooks): Job[] {
  const { db, config } = context;
  const ttl = config.housekeeping.ttl;
  return [
    repeated("status-switch", 10 * minute, entities, (now) => switchDueStatuses(db, now, entities)),
    ...entityJobs(context),
    expiring(
      "search-sessions",
      ttl.search_facets_days,
      (cutoff) => expiry.expireSearchSessions(db, cutoff, rows),
    ),
    repeated(
      "surplus-searches",
      10 * minute,
      rows,
      () => expiry.removeSurplusSessions(db, maxSessions, rows),
    ),
    expiring(
      "applied-batches",
      ttl.applied_batches_days,
      (cutoff) => expiry.expireAppliedBatches(db, cutoff, rows),
    ),
    expiring(
      "lineage-outbox",
      ttl.lineage_outbox_days,
      async (cutoff) => expiry.expireOutbox(db, cutoff, await reached(context), rows),
    ),
    expiring(
      "lineage-history",
      ttl.lineage_history_days,
      (cutoff) => expiry.expireEdgeHistory(db, cutoff, rows),
    ),
    expiring(
      "deletion-history",
      ttl.lineage_history_days,
      (cutoff) => expiry.expireDeletions(db, cutoff, rows),
    ),
    expiring(
      "resolved-alerts",
      ttl.resolved_alerts_days,
      (cutoff) => expiry.expireResolvedAlerts(db, cutoff, rows),
    ),
    expiring(
      "alert-events",
      ttl.alert_events_days,
      (cutoff) => expiry.expireAlertEvents(db, cutoff, rows),
    ),
    repeated("dead-letter-notes", day, 1, async (now) => {
      // Kept as long as outcomes, which outlive the dead letters too.
      await forgetHandled(db, daysBefore(now, ttl.applied_batches_days).getTime());
      return 0;
    }),
    deliveryJob(context),
    activityJob(context),
    ...(hooks.trimEventLog ? [repeated("event-log", 5 * minute, 1, hooks.trimEventLog)] : []),
  ];
}

function entityJobs({ db, config }: Tools): Job[] {
  const ttl = config.housekeeping.ttl.data_entity_delete_days;
  return [
    {
      name: "purge-entities",
      every: hour,
      async *lots(now) {
        const cutoff = daysBefore(now, ttl);
        for (let found = entities; found === entities;) {
          const lot = await purgeDeleted(db, cutoff, entities);
          found = lot.found;
          yield lot.removed + lot.hollowed;
        }
      },
    },
    {
      name: "sweep-hollow",
      every: day,
      async *lots(now) {
        const cutoff = daysBefore(now, ttl);
        for (let after: number | null = 0; after !== null;) {
          const { next, removed } = await sweepHollow(db, cutoff, after, rows);
          after = next;
          yield removed;
        }
      },
    },
  ];
}

/** The delivery log. What was told is known for as long as a change may be read again. */
function deliveryJob({ db, config }: Tools): Job {
  const ttl = config.housekeeping.ttl;
  return {
    name: "deliveries",
    every: hour,
    async *lots(now) {
      const cutoff = daysBefore(now, ttl.deliveries_days);
      const unknown = daysBefore(now, Math.max(ttl.alert_events_days, ttl.deliveries_days));
      yield* untilShort(rows, () => expiry.failOverdueDeliveries(db, cutoff, rows));
      yield* untilShort(rows, () => expiry.expireDeliveries(db, cutoff, rows));
      yield* untilShort(rows, () => expiry.expireMessages(db, cutoff, rows));
      yield* untilShort(rows, () => expiry.expireKnownChanges(db, unknown, rows));
      yield* untilShort(rows, () => expiry.expireSilences(db, cutoff, rows));
    },
  };
}

function activityJob({ db, config }: Tools): Job {
  return {
    name: "activity",
    every: 6 * hour,
    async *lots(now) {
      await expiry.makeActivityPartitions(db, now);
      const kept = config.housekeeping.ttl.activity_days;
      if (kept === undefined) return;
      const cutoff = daysBefore(now, kept);
      yield await expiry.dropActivityPartitions(db, cutoff);
      yield* untilShort(rows, () => expiry.expireStrayActivity(db, cutoff, rows));
    },
  };
}

function expiring(
  name: string,
  days: number,
  expire: (cutoff: Date) => Promise<number>,
): Job {
  return repeated(name, hour, rows, (now) => expire(daysBefore(now, days)));
}

function repeated(
  name: string,
  every: number,
  lot: number,
  work: (now: Date) => Promise<number>,
): Job {
  return { name, every, lots: (now) => untilShort(lot, () => work(now)) };
}

async function* untilShort(lot: number, work: () => Promise<number>): AsyncGenerator<number> {
  for (let done = lot; done >= lot;) yield done = await work();
}

/** Position of a projected graph, which alone knows it for certain; null for one without a copy. */
async function reached({ graph }: Tools): Promise<number | null> {
  return graph.projection === "projected" ? await graph.position(5_000) : null;
}

/** The time `days` days of 24 hours before `now`. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}
