import { forgetHandled } from "#eventlog/dead-letters.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import { forgetHistory } from "#platform/ops/history.ts";
import { forgetProcesses } from "#platform/ops/workers.ts";
import { dropOverdueUploads, piecesWaiting, removePieces } from "./attachments.ts";
import { sweepStale, switchDueStatuses } from "./expiry.ts";
import { sweepTables } from "./lookup-tables.ts";
import { purgeDeleted, sweepHollow } from "./purge.ts";
import { retained } from "./retention.queries.ts";
import { daysBefore, dropActivityPartitions, makeActivityPartitions, sweep } from "./retention.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A periodic task of housekeeping. */
export interface Job {
  /** Label in metrics and logs. */
  name: string;
  /** Milliseconds between the starts of two runs. */
  every: number;
  /**
   * Does the work due at `now` in bounded batches, each in its own transaction; yields the number of
   * items after each. The caller may stop between two batches.
   */
  batches(now: Date): AsyncGenerator<number>;
}

/** Functions that other parts of the system provide for housekeeping. */
export interface HousekeepingHooks {
  /** Removes some expired records of an embedded event log; returns how many, 0 when none are left. */
  trimEventLog?: (now: Date) => Promise<number>;
}

type Deps = Pick<
  Context,
  "db" | "lookup" | "config" | "graph" | "storage" | "clock" | "log" | "metrics"
>;

/** Most rows, entities and uploads of one batch. */
const maxRows = 2_000;
const maxEntities = 200;
const maxUploads = 100;

/** All jobs, in the order in which they run when several are due. */
export function housekeepingJobs(context: Deps, hooks: HousekeepingHooks): Job[] {
  const { db, config } = context;
  const ttl = config.housekeeping.ttl;
  return [
    repeated(
      "status-switch",
      10 * minute,
      maxEntities,
      (now) => switchDueStatuses(db, now, maxEntities),
    ),
    {
      name: "stale",
      every: config.housekeeping.stale.every,
      batches: (now) => sweepStale(context, now),
    },
    ...entityJobs(context),
    ...attachmentJobs(context),
    activityJob(context),
    lookupTablesJob(context),
    ...retained.map((row): Job => ({
      name: row.name,
      every: "max" in row ? 10 * minute : hour,
      batches: (now) => sweep(context, row, now, maxRows),
    })),
    repeated("processes", 10 * minute, maxEntities, () => forgetProcesses(db, maxEntities)),
    repeated("operations-history", hour, maxRows, (now) => forgetHistory(db, now, maxRows)),
    repeated("metadata-fields", hour, maxRows, () => sweepMetadataFields(db, maxRows)),
    repeated("dead-letter-notes", day, 1, async (now) => {
      // Kept as long as the outcomes of parts, which are stored longer than dead letters.
      await forgetHandled(db, daysBefore(now, ttl.applied_batches_days).getTime());
      return 0;
    }),
    ...(hooks.trimEventLog ? [repeated("event-log", 5 * minute, 1, hooks.trimEventLog)] : []),
  ];
}

function entityJobs({ db, config }: Deps): Job[] {
  const ttl = config.housekeeping.ttl.data_entity_delete_days;
  return [
    {
      name: "purge-entities",
      every: hour,
      async *batches(now) {
        const cutoff = daysBefore(now, ttl);
        for (let found = maxEntities; found === maxEntities;) {
          const batch = await purgeDeleted(db, cutoff, maxEntities);
          found = batch.found;
          yield batch.removed + batch.hollowed;
        }
      },
    },
    {
      name: "sweep-hollow",
      every: day,
      async *batches(now) {
        const cutoff = daysBefore(now, ttl);
        for (let after: number | null = 0; after !== null;) {
          const { next, removed } = await sweepHollow(db, cutoff, after, maxRows);
          after = next;
          yield removed;
        }
      },
    },
  ];
}

/** After the purge, so that files of purged entities go at once. */
function attachmentJobs(context: Deps): Job[] {
  const waiting = context.metrics.gauge(
    "tributary_attachment_pieces_waiting",
    "Pieces of deleted files not yet removed from the storage",
  );
  const stuck = context.metrics.gauge(
    "tributary_attachment_pieces_stuck",
    "Pieces of deleted files that the storage failed to remove; removal is retried",
  );
  return [
    repeated(
      "overdue-uploads",
      hour,
      maxUploads,
      (now) => dropOverdueUploads(context, now, maxUploads),
    ),
    {
      name: "attachment-pieces",
      every: 5 * minute,
      async *batches(now) {
        try {
          yield* removePieces(context, now);
        } finally {
          const left = await piecesWaiting(context, now);
          waiting.set({}, left.waiting);
          stuck.set({}, left.stuck);
        }
      },
    },
  ];
}

function activityJob({ db, config }: Deps): Job {
  return {
    name: "activity",
    every: 6 * hour,
    async *batches(now) {
      await makeActivityPartitions(db, now);
      const retentionDays = config.housekeeping.ttl.activity_days;
      yield await dropActivityPartitions(db, daysBefore(now, retentionDays));
    },
  };
}

/** Rows of tables that were purged, and what a process left that ended between two databases. */
function lookupTablesJob(context: Deps): Job {
  const store = new LookupStore(context);
  return {
    name: "lookup-tables",
    every: hour,
    async *batches() {
      for (let after: string | null = ""; after !== null;) {
        const { next, dropped } = await sweepTables(context.db, store, after);
        after = next;
        yield dropped;
      }
    },
  };
}

function repeated(
  name: string,
  every: number,
  size: number,
  work: (now: Date) => Promise<number>,
): Job {
  return {
    name,
    every,
    async *batches(now) {
      for (let done = size; done >= size;) yield done = await work(now);
    },
  };
}

/**
 * Removes fields of custom metadata without any value, at most `max`; returns how many. Those of
 * collectors stay: batches look them up before they write.
 */
export function sweepMetadataFields(db: Database, max: number): Promise<number> {
  return db.transaction(async (tx) => {
    const found = await tx.query(unusedFields, [max]);
    if (found.length === 0) return 0;
    return (await tx.query(removeFields, [found.map(({ id }) => id)])).length;
  });
}

const withoutValues = `f.origin = 'INTERNAL'
     AND NOT EXISTS (SELECT FROM metadata_value v WHERE v.field_id = f.id)
     AND NOT EXISTS (SELECT FROM field_metadata_value v WHERE v.metadata_field_id = f.id)`;

/** $1 limit. Passes over fields that are just being used. */
const unusedFields = plannedEachTime<{ id: number }>("metadata-fields-unused")`
  SELECT id FROM metadata_field f WHERE ${withoutValues}
   ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** $1 locked ids: looks again, since values may have come before the locks. */
const removeFields = plannedEachTime<{ id: number }>("metadata-fields-remove")`
  DELETE FROM metadata_field f WHERE f.id = ANY($1::bigint[]) AND ${withoutValues} RETURNING f.id`;
