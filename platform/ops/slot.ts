import type { Gauge, Metrics } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Config } from "#platform/config/schema.ts";

export async function readSlot(db: Queryable, names: SlotNames): Promise<SlotSnapshot> {
  return (await db.query(slotSnapshot, [names.slot, names.publication]))[0]!;
}

/** Changes that are to be announced and are not known to be in the event log. */
export async function unannounced(db: Queryable): Promise<number> {
  const [row] = await db.query(countUnpublished);
  return row!.count;
}

/** Slot and publication in the form that operators see, and how far behind they are. */
interface SlotFacts {
  slot: string;
  exists: boolean;
  /** Whether a notifier reads it. */
  active: boolean;
  /** Process of the server that sends to the reader. */
  pid: number | null;
  wal_status: string | null;
  invalidation_reason: string | null;
  lag_bytes: number | null;
  retained_bytes: number | null;
  confirmed_lsn: string | null;
  restart_lsn: string | null;
  publication: string;
  publication_exists: boolean;
  wal_level: string;
  /** RFC 3339; null while nothing is announced. */
  announced_since: string | null;
  /** Changes of alerts that are not announced yet. */
  unannounced: number;
}

/** What `npm run notifications -- slot status` shows. */
export async function slotFacts(
  { db, config }: Pick<Context, "db" | "config">,
): Promise<SlotFacts> {
  const names = slotNames(config);
  const snapshot = await readSlot(db, names);
  const { slot, publication } = snapshot;
  return {
    slot: names.slot,
    exists: slot !== null,
    active: slot?.active ?? false,
    pid: slot?.pid ?? null,
    wal_status: slot?.walStatus ?? null,
    invalidation_reason: slot?.invalidated ?? null,
    lag_bytes: slot?.lagBytes ?? null,
    retained_bytes: slot?.retainedBytes ?? null,
    confirmed_lsn: slot?.confirmedLsn ?? null,
    restart_lsn: slot?.restartLsn ?? null,
    publication: names.publication,
    publication_exists: publication !== null,
    wal_level: snapshot.walLevel,
    announced_since: snapshot.feed?.announce_since ?? null,
    unannounced: await unannounced(db),
  };
}

/** The slot as reported by PostgreSQL. */
export interface Slot {
  plugin: string;
  database: string;
  active: boolean;
  pid: number | null;
  /** `reserved`, `extended`, `unreserved` or `lost`; null before the first change. */
  walStatus: string | null;
  /** Why it is of no more use; null while it is, and always null before PostgreSQL 17. */
  invalidated: string | null;
  restartLsn: string | null;
  confirmedLsn: string | null;
  /** Written and not confirmed. */
  lagBytes: number | null;
  /** Kept on disk for this slot. */
  retainedBytes: number | null;
}

/** What there is of slot, publication and feed. */
export interface SlotSnapshot {
  walLevel: string;
  database: string;
  user: string;
  feed: { announce_since: string; settled_id: number; gap: boolean } | null;
  publication: { inserts: boolean; covers: boolean } | null;
  slot: Slot | null;
}

/**
 * Everything about slot and publication at a glance. $1 slot, $2 publication. Columns of slots that
 * only some releases of PostgreSQL have are read through JSON.
 */
const slotSnapshot = plannedEachTime<SlotSnapshot>("slot-snapshot")`
  SELECT current_setting('wal_level') AS "walLevel",
         current_database() AS database,
         current_user AS "user",
         (SELECT row_to_json(f) FROM (
            SELECT announce_since, settled_id, gap FROM alert_feed) f) AS feed,
         (SELECT row_to_json(p) FROM (
            SELECT pubinsert AS inserts,
                   puballtables OR EXISTS (
                     SELECT FROM pg_publication_rel r
                      WHERE r.prpubid = p.oid AND r.prrelid = 'alert_event'::regclass) AS covers
              FROM pg_publication p WHERE pubname = $2) p) AS publication,
         (SELECT row_to_json(s) FROM (
            SELECT plugin, database, active, active_pid AS pid,
                   wal_status AS "walStatus",
                   to_jsonb(s) ->> 'invalidation_reason' AS invalidated,
                   restart_lsn AS "restartLsn",
                   confirmed_flush_lsn AS "confirmedLsn",
                   (pg_current_wal_lsn() - confirmed_flush_lsn)::bigint AS "lagBytes",
                   (pg_current_wal_lsn() - restart_lsn)::bigint AS "retainedBytes"
              FROM pg_replication_slots s WHERE slot_name = $1) s) AS slot`;

const countUnpublished = plannedEachTime<{ count: number }>("alerts-unpublished")`
  SELECT count(*) AS count
    FROM alert_event e CROSS JOIN alert_feed f
   WHERE e.id > f.settled_id AND e.recorded_at >= f.announce_since
     AND NOT EXISTS (SELECT FROM alert_event_published p WHERE p.event_id = e.id)`;

/** What of the database server the reader goes by. */
export interface SlotNames {
  slot: string;
  publication: string;
  /** Number of the advisory lock under which slot and publication are made and dropped. */
  lockId: number;
}

/** `<instance>_alerts` for both, unless the configuration names them; slots take no hyphens. */
export function slotNames({ instance, notifications: { wal } }: Config): SlotNames {
  const name = `${instance.replaceAll("-", "_")}_alerts`;
  return {
    slot: wal["replication-slot-name"] ?? name,
    publication: wal["publication-name"] ?? name,
    lockId: wal["advisory-lock-id"],
  };
}

/** A replication slot that no notifier reads, and for which PostgreSQL keeps its log. */
export interface UnusedSlot {
  slot: string;
  /** Kept on disk for this slot; null when PostgreSQL has given the slot up. */
  retained_bytes: number | null;
  what_to_do: string;
}

const whatToDo =
  "notifications are off and nothing reads this slot, so PostgreSQL keeps its log: " +
  "`npm run notifications -- slot drop`, or switch notifications.enabled on again";

const timeoutMs = 1_500;

/** The slot that an instance left when its notifications were switched off; null if there is none. */
async function unusedSlot(
  { db, config }: Pick<Context, "db" | "config">,
): Promise<UnusedSlot | null> {
  if (config.notifications.enabled) return null;
  const names = slotNames(config);
  const snapshot = readSlot(db, names);
  const { slot, database } = await withTimeout(snapshot, timeoutMs, () => new Error("no answer"));
  if (!slot || slot.active || slot.database !== database) return null;
  return { slot: names.slot, retained_bytes: slot.retainedBytes, what_to_do: whatToDo };
}

/** As `unusedSlot`; null also when PostgreSQL does not respond. */
export function unusedSlotIfKnown(deps: Pick<Context, "db" | "config">) {
  return unusedSlot(deps).catch(() => null);
}

/** Says at start that a slot is unused. */
export async function warnOfUnusedSlot(deps: Pick<Context, "db" | "config" | "log">) {
  const unused = await unusedSlotIfKnown(deps);
  if (unused) deps.log.warn("replication slot is unused", { ...unused });
}

export function retainedGauge(metrics: Metrics): Gauge {
  return metrics.gauge(
    "tributary_notifier_slot_retained_bytes",
    "Bytes of write-ahead log that the server retains for the slot",
  );
}

/** While notifications are off, nobody else measures the slot. */
export async function measureUnusedSlot(
  deps: Pick<Context, "db" | "config">,
  metrics: Metrics,
): Promise<void> {
  if (deps.config.notifications.enabled) return;
  const unused = await unusedSlotIfKnown(deps);
  retainedGauge(metrics).set({}, unused?.retained_bytes ?? 0);
}
