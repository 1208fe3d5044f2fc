import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { eventually } from "#test/support/eventually.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { parseLsn } from "#metadata/postgres/history/compare.ts";
import { unannounced } from "#platform/ops/slot.ts";
import { TableFeed } from "./table.ts";
import * as harness from "./testing/harness.ts";

describe.each(setsBySize())("SlotReader heals, %s", (set) => {
  let u: harness.ReaderUnderTest;

  beforeEach(async () => void (u = await harness.ReaderUnderTest.open(set)));
  afterEach(() => u.close());
  const settled = async () => (await u.snapshot()).feed!.settled_id;

  it("announces from the table what a dropped slot did not tell", async () => {
    const reader = await u.start();
    await u.announced(await u.insert(2));
    await u.stop(reader);
    const missed = await u.insert(3);
    await u.t.db.query("SELECT pg_drop_replication_slot($1)", [u.names.slot]);
    const later = await u.insert(2);
    const logged: string[] = [];
    const log = harness.collectingLogger(logged);
    await u.stands(await u.start({ log }), "reading");
    await u.announced([...missed, ...later, ...await u.insert(1)]);
    expect(logged.join("\n")).toContain("slot_lost");
    expect((await u.snapshot()).feed!.gap).toBe(false);
  });

  it("goes on when its slot is dropped while it reads", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await eventually(async () => {
      await u.t.db.query(
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1",
        [u.names.slot],
      );
      await u.t.db.query("SELECT pg_drop_replication_slot($1)", [u.names.slot]);
    });
    const ids = await u.insert(3);
    await u.announced(ids);
    await u.stands(reader, "reading");
    await u.announced(await u.insert(1));
  });

  it("loses no change that is committed after later ones were announced", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    const open = Promise.withResolvers<void>();
    const drawn = Promise.withResolvers<number>();
    const slow = u.t.db.transaction(async (tx) => {
      await tx.query("SELECT pg_current_xact_id()");
      const [row] = await tx.query<{ id: number }>(
        `INSERT INTO alert_event (alert_id, alert_type, event_type, event_at)
         VALUES (5, 1, 'CREATED', now()) RETURNING id`,
      );
      drawn.resolve(row!.id);
      await open.promise;
    });
    const low = await drawn.promise;
    const high = await u.insert(3);
    await u.announced(high);
    expect(low).toBeLessThan(high[0]!);
    await u.stop(reader);
    open.resolve();
    await slow;
    await u.t.db.query("SELECT pg_drop_replication_slot($1)", [u.names.slot]);
    await u.start();
    await u.announced([low]);
  });

  it("moves the settled position past what was announced and deletes its marks", async () => {
    await u.stands(await u.start(), "reading");
    const ids = await u.insert(5);
    await u.announced(ids);
    await eventually(async () => {
      expect(await settled()).toBe(ids.at(-1));
      expect(await u.t.db.query("SELECT * FROM alert_event_published")).toEqual([]);
    });
    expect(await unannounced(u.t.db)).toBe(0);
  });

  it("does not move the settled position while a transaction that began earlier may still commit", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await u.stop(reader);
    const open = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = u.t.db.transaction(async (tx) => {
      await tx.query("SELECT pg_current_xact_id()");
      begun.resolve();
      await open.promise;
    });
    await begun.promise;
    const [id] = await u.insert(1);
    const announced: number[] = [];
    const announcer = {
      announce(batch: { id: number | null }[]) {
        announced.push(...batch.map((one) => one.id ?? 0));
        return Promise.resolve();
      },
    };
    const table = new TableFeed(u.t.db, announcer, silentLogger);
    const settle = () => table.settle(2n ** 63n, AbortSignal.timeout(10_000));
    await settle();
    await settle();
    expect([announced, await settled()]).toEqual([[], 0]);
    open.resolve();
    await slow;
    await eventually(async () => {
      await settle();
      expect([announced, await settled()]).toEqual([[id], id]);
    });
  });

  it("confirms exactly what was published, not a byte more", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await u.announced(await u.insert(3));
    await u.stop(reader);
    const { slot } = await u.snapshot();
    // Records begin at multiples of eight, so that a commit right behind is not skipped.
    expect(parseLsn(slot!.confirmedLsn!) % 8n).toBe(0n);
  });

  it("announces what the slot was moved past by hand", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await u.stop(reader);
    const ids = await u.insert(4);
    await u.t.db.query("SELECT pg_replication_slot_advance($1, pg_current_wal_lsn())", [
      u.names.slot,
    ]);
    await u.start();
    await u.announced(ids);
  });

  it("makes a dropped publication again and announces what came meanwhile", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await u.t.db.query(`DROP PUBLICATION ${u.names.publication}`);
    const ids = await u.insert(3);
    await u.announced(ids);
    await u.stands(reader, "reading");
    expect((await u.snapshot()).publication).toEqual({ inserts: true, covers: true });
    await u.announced(await u.insert(1));
  });

  it("announces no history when it is switched on later, only the last minutes", async () => {
    const old = await u.insert(2);
    await u.t.db.query("UPDATE alert_event SET recorded_at = now() - interval '1 hour'");
    const recent = await u.insert(2);
    await u.start();
    await u.announced([...recent, ...await u.insert(1)]);
    const all = await harness.announcedIds(u.events);
    expect(all.filter((id) => old.includes(id))).toEqual([]);
  });
});
