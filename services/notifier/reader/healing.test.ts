import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alertEvents, deadLetterHeaders, ingestionDeadLetters } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { unavailable } from "#kit/errors.ts";
import { type TestDatabase, testDatabase } from "#test/support/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { engineSets } from "#test/support/instance.ts";
import { openLog } from "#test/support/logs.ts";
import type { SlotNames } from "./names.ts";
import type { SlotReader } from "./reader.ts";
import { drop, lookAt, unannounced } from "./slot.ts";
import * as harness from "./test-harness.ts";

describe.each(engineSets())("SlotReader heals, %s", (set) => {
  let t: TestDatabase;
  let events: EventLog;
  let names: SlotNames;
  let running: SlotReader[];

  beforeEach(async () => {
    t = await testDatabase();
    names = harness.namesFor(t.name);
    events = openLog(harness.targetOf(set, t.url, t.name));
    await harness.ensureTopics(events);
    running = [];
  });
  afterEach(async () => {
    for (const reader of running) await reader.stop();
    await events.close();
    await t.drop();
  });

  const start = async (over: Partial<harness.ReaderOptions> = {}) => {
    const reader = harness.slotReader({ db: t.db, events, names, ...over });
    running.push(reader);
    await reader.start(() => {});
    return reader;
  };
  const stands = (reader: SlotReader, state: string) =>
    eventually(() => expect(reader.health().state).toBe(state), {
      describe: () => reader.health(),
    });
  const insert = (count: number) => harness.insertEvents(t.db, count);
  const announced = (ids: number[]) =>
    eventually(async () => {
      expect(await harness.announcedIds(events)).toEqual(expect.arrayContaining(ids));
    }, { describe: () => running.map((r) => r.health()) });
  const settled = async () => (await lookAt(t.db, names)).feed!.settled_id;

  it("announces from the table what a dropped slot did not tell", async () => {
    const reader = await start();
    await announced(await insert(2));
    await reader.stop();
    const missed = await insert(3);
    await t.db.query("SELECT pg_drop_replication_slot($1)", [names.slot]);
    const later = await insert(2);
    const logged: string[] = [];
    const log = harness.collectingLogger(logged);
    await stands(await start({ log }), "reading");
    await announced([...missed, ...later, ...await insert(1)]);
    expect(logged.join("\n")).toContain("slot_lost");
    expect((await lookAt(t.db, names)).feed!.gap).toBe(false);
  });

  it("goes on when its slot is dropped while it reads", async () => {
    const reader = await start();
    await stands(reader, "reading");
    await eventually(async () => {
      await t.db.query(
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1",
        [names.slot],
      );
      await t.db.query("SELECT pg_drop_replication_slot($1)", [names.slot]);
    });
    const ids = await insert(3);
    await announced(ids);
    await stands(reader, "reading");
    await announced(await insert(1));
  });

  it("loses no change whose transaction ends after younger ones were announced", async () => {
    const reader = await start();
    await stands(reader, "reading");
    const open = Promise.withResolvers<void>();
    const drawn = Promise.withResolvers<number>();
    const slow = t.db.transaction(async (tx) => {
      await tx.query("SELECT pg_current_xact_id()");
      const [row] = await tx.query<{ id: number }>(
        `INSERT INTO alert_event (alert_id, alert_type, event_type, event_at)
         VALUES (5, 1, 'CREATED', now()) RETURNING id`,
      );
      drawn.resolve(row!.id);
      await open.promise;
    });
    const low = await drawn.promise;
    const high = await insert(3);
    await announced(high);
    expect(low).toBeLessThan(high[0]!);
    await reader.stop();
    open.resolve();
    await slow;
    await t.db.query("SELECT pg_drop_replication_slot($1)", [names.slot]);
    await start();
    await announced([low]);
  });

  it("settles what was announced and keeps no mark of it", async () => {
    await stands(await start(), "reading");
    const ids = await insert(5);
    await announced(ids);
    await eventually(async () => {
      expect(await settled()).toBe(ids.at(-1));
      expect(await t.db.query("SELECT * FROM alert_event_published")).toEqual([]);
    });
    expect(await unannounced(t.db)).toBe(0);
  });

  it("announces what the slot was moved past by hand", async () => {
    const reader = await start();
    await stands(reader, "reading");
    await reader.stop();
    const ids = await insert(4);
    await t.db.query("SELECT pg_replication_slot_advance($1, pg_current_wal_lsn())", [names.slot]);
    await start();
    await announced(ids);
  });

  it("makes a dropped publication anew and announces what came meanwhile", async () => {
    const reader = await start();
    await stands(reader, "reading");
    await t.db.query(`DROP PUBLICATION ${names.publication}`);
    const ids = await insert(3);
    await announced(ids);
    await stands(reader, "reading");
    expect((await lookAt(t.db, names)).publication).toEqual({ inserts: true, covers: true });
    await announced(await insert(1));
  });

  it("announces no history when it is switched on later, only the last minutes", async () => {
    const old = await insert(2);
    await t.db.query("UPDATE alert_event SET recorded_at = now() - interval '1 hour'");
    const recent = await insert(2);
    await start();
    await announced([...recent, ...await insert(1)]);
    const all = await harness.announcedIds(events);
    expect(all.filter((id) => old.includes(id))).toEqual([]);
  });

  it("puts rows that cannot be announced to the dead letters and goes on", async () => {
    await stands(await start(), "reading");
    const poison = (set: string) =>
      t.db.query<{ id: number }>(
        `INSERT INTO alert_event (alert_id, alert_type, event_type, event_at, updated_by)
         VALUES (9, 1, 'CREATED', ${set}) RETURNING id`,
      );
    const [timeless] = await poison("'infinity', 'somebody'");
    const [huge] = await poison("now(), repeat('x', 200000)");
    await announced(await insert(1));
    const letters = await harness.recordsOf(events, ingestionDeadLetters);
    const told = letters.map(({ headers }) => [
      headers[deadLetterHeaders.originTopic],
      headers.event,
      headers[deadLetterHeaders.reason],
    ]);
    expect(told).toContainEqual([alertEvents, String(timeless!.id), "alert_event_unreadable"]);
    expect(told).toContainEqual([alertEvents, String(huge!.id), "record_too_large"]);
    await eventually(async () => expect(await unannounced(t.db)).toBe(0));
    expect((await harness.recordsOf(events, ingestionDeadLetters)).length).toBe(letters.length);
  });

  it("confirms nothing while the event log is down, says so, and loses nothing", async () => {
    let down = false;
    const flaky: EventLog = Object.assign(Object.create(events), {
      publish: (...given: Parameters<EventLog["publish"]>) =>
        down ? Promise.reject(unavailable("down")) : events.publish(...given),
      ping: (ms: number) => down ? Promise.reject(unavailable("down")) : events.ping(ms),
    });
    const reader = await start({ events: flaky });
    await stands(reader, "reading");
    down = true;
    const ids = await insert(3);
    await stands(reader, "event_log_down");
    expect(reader.health().ready).toBe(false);
    expect(await unannounced(t.db)).toBe(3);
    down = false;
    await announced(ids);
  });

  it("names a missing privilege with the command that grants it, and goes on once granted", async () => {
    const role = `${t.name}_role`;
    await t.db.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await t.db.query(`GRANT CREATE ON DATABASE ${t.name} TO ${role}`);
    await harness.ownTables(t.db, role);
    const db = harness.databaseAs(t.url, role, "secret");
    try {
      const reader = await start({ db });
      await stands(reader, "missing_privilege");
      expect(reader.health().detail).toContain("ALTER ROLE <role> WITH REPLICATION");
      await t.db.query(`ALTER ROLE ${role} REPLICATION`);
      await stands(reader, "reading");
      await reader.stop();
    } finally {
      await db.close();
      await t.db.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
      await t.db.query(`DROP OWNED BY ${role}`);
      await t.db.query(`DROP ROLE ${role}`);
    }
  });

  it("refuses a slot of another database", async () => {
    const other = await testDatabase();
    try {
      await other.db.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [
        names.slot,
      ]);
      const reader = await start();
      await stands(reader, "slot_foreign");
      await expect(drop(t.db, names)).rejects.toThrow(/belongs to database/);
      await reader.stop();
    } finally {
      await other.drop();
    }
  });

  it("drop: refuses while the slot is read, then drops all and begins afresh", async () => {
    const reader = await start();
    await stands(reader, "reading");
    await expect(drop(t.db, names)).rejects.toThrow(/is being read .* set notifications.enabled/);
    await reader.stop();
    await eventually(async () => expect((await lookAt(t.db, names)).slot!.active).toBe(false));
    expect(await drop(t.db, names)).toEqual({ slot: true, publication: true });
    const gone = await lookAt(t.db, names);
    expect([gone.slot, gone.publication, gone.feed]).toEqual([null, null, null]);
    expect(await drop(t.db, names)).toEqual({ slot: false, publication: false });
  });
});
