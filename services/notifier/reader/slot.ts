import pg from "pg";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { readSlot, type Slot, type SlotNames, type SlotSnapshot } from "#platform/ops/slot.ts";
import { ReaderProblem } from "./status.ts";

const lock = "SELECT pg_advisory_lock($1)";
const createSlot = "SELECT pg_create_logical_replication_slot($1, 'pgoutput')";
const dropSlot = "SELECT pg_drop_replication_slot($1)";

/** A record of no meaning, so that the slot of a quiet database has something to confirm. */
export const heartbeat = "SELECT pg_logical_emit_message(false, 'tributary', '')";

/** $1 age in milliseconds up to which changes are still announced. */
const beginFeed = `
  INSERT INTO alert_feed (announce_since, gap)
  VALUES (now() - $1 * interval '1 millisecond', true)
  ON CONFLICT (single) DO UPDATE SET gap = true`;

const endFeed = "DELETE FROM alert_feed";
const forgetPublished = "TRUNCATE alert_event_published";

export const isLost = (slot: Slot) => slot.walStatus === "lost" || slot.invalidated !== null;

export const isPublishing = ({ publication }: SlotSnapshot) =>
  publication !== null && publication.inserts && publication.covers;

/** Whether there is nothing left to make. Throws when the slot's name belongs to something else. */
export function isPrepared(snapshot: SlotSnapshot, names: SlotNames): boolean {
  const { slot } = snapshot;
  if (slot && (slot.database !== snapshot.database || slot.plugin !== "pgoutput")) {
    throw new ReaderProblem(
      "slot_foreign",
      `the replication slot ${names.slot} belongs to database ${slot.database} (${slot.plugin})`,
      "set notifications.wal.replication-slot-name (or instance) to a name of its own",
    );
  }
  return snapshot.feed !== null && isPublishing(snapshot) && slot !== null && !isLost(slot);
}

/**
 * Changes of this many milliseconds before the first activation are announced: services start one after
 * the other, and what the first of them recorded should be heard of.
 */
const announcedBefore = 10 * 60_000;

/** A new slot waits for the end of all transactions that write. */
const prepareMs = 10 * 60_000;

interface PrepareOptions {
  /** Recreates the slot even if it looks intact. */
  renew: boolean;
  /** Ends the wait. */
  signal: AbortSignal;
}

/**
 * Creates what is missing of feed, publication and slot, one process at a time. The feed records the
 * gap first, so that a death in between loses nothing.
 */
export async function prepare(
  db: Database,
  names: SlotNames,
  { renew, signal }: PrepareOptions,
): Promise<void> {
  await locked(db.url, names, signal, async (session) => {
    const snapshot = await readSlot(session, names);
    if (isPrepared(snapshot, names) && !renew) return;
    await session.query(beginFeed, [announcedBefore]);
    await ensurePublication(session, snapshot, names);
    const { slot } = snapshot;
    if (slot && (renew || isLost(slot))) await session.query(dropSlot, [names.slot]);
    if (!slot || renew || isLost(slot)) await session.query(createSlot, [names.slot]);
  });
}

async function ensurePublication(
  session: Queryable,
  slot: SlotSnapshot,
  names: SlotNames,
): Promise<void> {
  const name = pg.escapeIdentifier(names.publication);
  const { publication } = slot;
  if (!publication) {
    await session.query(
      `CREATE PUBLICATION ${name} FOR TABLE alert_event WITH (publish = 'insert')`,
    );
    return;
  }
  if (!publication.covers) await session.query(`ALTER PUBLICATION ${name} ADD TABLE alert_event`);
  if (!publication.inserts) {
    await session.query(`ALTER PUBLICATION ${name} SET (publish = 'insert')`);
  }
}

interface DropResult {
  slot: boolean;
  publication: boolean;
}

/**
 * Drops slot and publication and forgets what was announced, so that notifications switched on later
 * begin afresh. Throws while somebody reads the slot.
 */
export async function drop(db: Database, names: SlotNames): Promise<DropResult> {
  return await locked(db.url, names, AbortSignal.timeout(60_000), async (session) => {
    const slot = await readSlot(session, names);
    isPrepared(slot, names);
    if (slot.slot?.active) {
      throw new ReaderProblem(
        "reading",
        `the slot ${names.slot} is being read (server process ${slot.slot.pid}): stop the notifiers, ` +
          "or set notifications.enabled to false and restart them; then drop it",
      );
    }
    if (slot.slot) await session.query(dropSlot, [names.slot]);
    await session.query(`DROP PUBLICATION IF EXISTS ${pg.escapeIdentifier(names.publication)}`);
    await session.query(endFeed);
    await session.query(forgetPublished);
    return { slot: slot.slot !== null, publication: slot.publication !== null };
  });
}

/** A session of its own: the lock is the session's, and making a slot may take longer than a query. */
async function locked<T>(
  url: string,
  names: SlotNames,
  signal: AbortSignal,
  work: (session: Queryable) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    statement_timeout: prepareMs,
    keepAlive: true,
    application_name: "tributary notifier setup",
  });
  client.on("error", () => {});
  const abort = () => void client.end().catch(() => {});
  await client.connect();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.query(lock, [names.lockId]);
    return await work({
      query: async <R>(text: string, values: unknown[] = []) =>
        (await client.query(text, values)).rows as R[],
    });
  } finally {
    signal.removeEventListener("abort", abort);
    await client.end().catch(() => {});
  }
}
