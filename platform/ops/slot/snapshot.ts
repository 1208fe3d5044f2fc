import type { Queryable } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { type SlotNames, slotNames } from "#platform/ops/slot/names.ts";
import * as sql from "#platform/ops/slot/queries.ts";
import type { Slot, SlotSnapshot } from "#platform/ops/slot/queries.ts";

export type { Slot, SlotSnapshot };

export async function readSlot(db: Queryable, names: SlotNames): Promise<SlotSnapshot> {
  const rows = await db.query(sql.slotSnapshot, [
    names.slot,
    names.publication,
  ]);
  return rows[0]!;
}

/** Changes that are to be announced and are not known to be in the event log. */
export async function unannounced(db: Queryable): Promise<number> {
  const [row] = await db.query(sql.countUnpublished);
  return row!.count;
}

/** Slot and publication in the form that operators see, and how far behind they are. */
export interface SlotFacts {
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
