import { PgoutputPlugin } from "pg-logical-replication";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { alertEvents, deadLetterHeaders, ingestionDeadLetters } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { unavailable } from "#kit/errors.ts";
import { applicationRole } from "#metadata/postgres/provision.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { superuserOf, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { goesOnInTime } from "#test/support/recovery-time.ts";
import { unannounced } from "#platform/ops/slot.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { drop } from "./slot.ts";
import * as harness from "./testing/harness.ts";

describe.each(setsBySize())("SlotReader and what is not as it should be, %s", (set) => {
  let u: harness.ReaderUnderTest;

  beforeEach(async () => void (u = await harness.ReaderUnderTest.open(set)));
  afterEach(() => u.close());

  it("puts rows that cannot be announced to the dead letters and goes on", async () => {
    await u.stands(await u.start(), "reading");
    const poison = (values: string) =>
      u.t.db.query<{ id: number }>(
        `INSERT INTO alert_event (alert_id, alert_type, event_type, event_at, updated_by)
         VALUES (9, 1, 'CREATED', ${values}) RETURNING id`,
      );
    const [timeless] = await poison("'infinity', 'somebody'");
    const [huge] = await poison("now(), repeat('x', 200000)");
    await u.announced(await u.insert(1));
    const deadLetters = await harness.recordsOf(u.events, ingestionDeadLetters);
    const described = deadLetters.map(({ headers }) => [
      headers[deadLetterHeaders.originTopic],
      headers.event,
      headers[deadLetterHeaders.reason],
    ]);
    expect(described).toContainEqual([alertEvents, String(timeless!.id), "alert_event_unreadable"]);
    expect(described).toContainEqual([alertEvents, String(huge!.id), "record_too_large"]);
    await eventually(async () => expect(await unannounced(u.t.db)).toBe(0));
    expect((await harness.recordsOf(u.events, ingestionDeadLetters)).length).toBe(
      deadLetters.length,
    );
  });

  it("announces from the table what the stream told unreadably", async () => {
    const { parse } = PgoutputPlugin.prototype;
    const insert = "I".charCodeAt(0);
    let broken = 0;
    const spy = vi.spyOn(PgoutputPlugin.prototype, "parse").mockImplementation(function (
      this: PgoutputPlugin,
      bytes,
    ) {
      if (bytes[0] === insert && broken++ === 0) throw new Error("garbled");
      return parse.call(this, bytes);
    });
    try {
      const metrics = createMetrics();
      const reader = await u.start({ metrics });
      await u.stands(reader, "reading");
      await u.announced(await u.insert(2));
      expect(broken).toBeGreaterThanOrEqual(2);
      await eventually(async () => {
        const { content } = await metrics.exposition();
        expect(content).toContain('_events_quarantined_total{reason="wal_message_unreadable"} 1');
        expect(content).toContain('_events_published_total{source="table"} 1');
      });
    } finally {
      spy.mockRestore();
    }
  });

  it("confirms nothing while the event log is down, says so, and loses nothing", async () => {
    let down = false;
    const flaky: EventLog = Object.assign(Object.create(u.events), {
      publish: (...given: Parameters<EventLog["publish"]>) =>
        down ? Promise.reject(unavailable("down")) : u.events.publish(...given),
      ping: (ms: number) => down ? Promise.reject(unavailable("down")) : u.events.ping(ms),
    });
    const reader = await u.start({ events: flaky });
    await u.stands(reader, "reading");
    down = true;
    const ids = await u.insert(3);
    await u.stands(reader, "event_log_down");
    expect(reader.health().ready).toBe(false);
    expect(await unannounced(u.t.db)).toBe(3);
    down = false;
    await u.announced(ids);
  });

  it("names a missing privilege with the command that grants it, and goes on once granted", async () => {
    const role = `${u.t.name}_role`;
    const superuser = superuserOf(u.t.name);
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await superuser.query(`GRANT CREATE ON DATABASE ${u.t.name} TO ${role}`);
    await harness.ownTables(superuser, role);
    const db = harness.databaseAs(u.t.url, role, "secret");
    try {
      const reader = await u.start({ db });
      await u.stands(reader, "missing_privilege");
      expect(reader.health().detail).toContain("ALTER ROLE <role> WITH REPLICATION");
      await superuser.query(`ALTER ROLE ${role} REPLICATION`);
      await u.stands(reader, "reading");
      await reader.stop();
    } finally {
      await db.close();
      await superuser.query(`REASSIGN OWNED BY ${role} TO ${applicationRole}`);
      await superuser.query(`DROP OWNED BY ${role}`);
      await superuser.query(`DROP ROLE ${role}`);
    }
  });

  it("stands as failed for what has no name of its own, and goes on once it is fixed", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await u.t.db.query("ALTER TABLE alert_event_published RENAME TO away");
    const ids = await u.insert(1);
    await u.stands(reader, "failed");
    expect(reader.health().detail).toContain("alert_event_published");
    await u.t.db.query("ALTER TABLE away RENAME TO alert_event_published");
    await goesOnInTime("failed", () => u.announced(ids));
  });

  it("refuses a slot of another database", async () => {
    const other = await testDatabase();
    try {
      await other.db.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [
        u.names.slot,
      ]);
      const reader = await u.start();
      await u.stands(reader, "slot_foreign");
      await expect(drop(u.t.db, u.names)).rejects.toThrow(/belongs to database/);
      await reader.stop();
    } finally {
      await other.drop();
    }
  });

  it("drop: refuses while the slot is read, then drops all and begins afresh", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    await expect(drop(u.t.db, u.names)).rejects.toThrow(
      /is being read .* set notifications.enabled/,
    );
    await reader.stop();
    await eventually(async () => expect((await u.snapshot()).slot!.active).toBe(false));
    expect(await drop(u.t.db, u.names)).toEqual({ slot: true, publication: true });
    const gone = await u.snapshot();
    expect([gone.slot, gone.publication, gone.feed]).toEqual([null, null, null]);
    expect(await drop(u.t.db, u.names)).toEqual({ slot: false, publication: false });
  });
});
