import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EventLog } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { Database } from "#metadata/postgres/database.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { superuserOf } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type EngineSet } from "#test/support/engines/instance.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { type OwnPostgres, postgresTls, startPostgres } from "#test/support/engines/own-engines.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { serviceArguments } from "../../../tools/services.mjs";
import type { SlotReader } from "./reader.ts";
import { readSlot } from "#platform/ops/slot.ts";
import * as harness from "./testing/harness.ts";

const names = harness.namesFor("tributary");

let server: OwnPostgres;
let db: Database;
let events: EventLog | undefined;
let reader: SlotReader | undefined;

/** A server of the test's own, migrated. */
async function open(settings: Record<string, string> = {}): Promise<void> {
  server = await startPostgres(settings);
  await migrate(server.url, silentLogger);
  db = new Database({
    url: server.url,
    max: 6,
    statementTimeoutMs: 10_000,
    applicationName: "test",
  });
}

const asSuperuser = (statement: string) => superuserOf("postgres", server.admin).query(statement);

async function openEvents(set: EngineSet): Promise<EventLog> {
  const instance = `t_${crypto.randomUUID().slice(0, 8)}`;
  events = openLog(harness.targetOf(set, server.url, instance));
  await harness.ensureTopics(events);
  return events;
}

async function start(given: EventLog): Promise<SlotReader> {
  reader = harness.slotReader({ db, events: given, names });
  await reader.start(() => {});
  return reader;
}

const stands = (of: SlotReader, state: string) =>
  eventually(() => expect(of.health().state).toBe(state), {
    describe: () => of.health(),
  });

beforeEach(() => {
  events = undefined;
  reader = undefined;
});
afterEach(async () => {
  await reader?.stop();
  await events?.close();
  await db.close();
  await server.stop();
});

/** Commits that are written and wait for a standby. */
async function waitingForStandby(statement: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    "SELECT count(*) AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE $1",
    [statement],
  );
  return row!.count;
}

describe.each(setsBySize())("SlotReader and its server, %s", (set) => {
  const announced = (ids: number[]) =>
    eventually(async () => {
      expect(await harness.announcedIds(events!)).toEqual(expect.arrayContaining(ids));
    }, { describe: () => reader?.health() });

  it("says that the database is down, and goes on where it was once it is back", async () => {
    await open();
    const reading = await start(await openEvents(set));
    await stands(reading, "reading");
    const before = await harness.insertEvents(db, 50);
    await server.kill();
    await stands(reading, "database_down");
    expect(reading.health().ready).toBe(false);
    await server.restart();
    await stands(reading, "reading");
    await announced([...before, ...await harness.insertEvents(db, 2)]);
    await server.restart();
    await announced(await harness.insertEvents(db, 2));
  });

  it("announces a commit only when others see it, though the log has it before", async () => {
    await open();
    await stands(await start(await openEvents(set)), "reading");
    await announced(await harness.insertEvents(db, 1));
    await asSuperuser("ALTER SYSTEM SET synchronous_standby_names = 'not_there'");
    await asSuperuser("SELECT pg_reload_conf()");
    // One after the other: those that wait hold a connection each.
    let [probe, ended]: [Promise<unknown>, boolean] = [Promise.resolve(), true];
    await eventually(async () => {
      if (ended) {
        ended = false;
        probe = db.query("SELECT pg_logical_emit_message(true, 'probe', '')")
          .then(() => ended = true);
      }
      expect(await waitingForStandby("%'probe'%")).toBe(1);
    });
    // This commit is in the log and waits for a standby that does not exist.
    const inserting = harness.insertEvents(db, 1);
    const before = await harness.announcedIds(events!);
    const written = await eventually(async () => {
      expect(await waitingForStandby("%INSERT INTO alert_event %")).toBe(1);
      return (await readSlot(db, names)).slot!.lagBytes;
    });
    expect(written).toBeGreaterThan(0);
    const seen = await db.query<{ id: number }>("SELECT id FROM alert_event");
    expect(seen.map(({ id }) => id)).toEqual(before);
    expect(await harness.announcedIds(events!)).toEqual(before);
    await asSuperuser("ALTER SYSTEM RESET synchronous_standby_names");
    await asSuperuser("SELECT pg_reload_conf()");
    await probe;
    await announced(await inserting);
  });

  it("makes an invalidated slot again and announces what it missed", async () => {
    await open();
    const log = await openEvents(set);
    const first = await start(log);
    await announced(await harness.insertEvents(db, 1));
    await first.stop();
    const missed = await harness.insertEvents(db, 4);
    await asSuperuser("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    await asSuperuser("SELECT pg_reload_conf()");
    await eventually(async () => {
      await db.query("SELECT pg_logical_emit_message(true, 'test', repeat('x', 100000))");
      await asSuperuser("SELECT pg_switch_wal()");
      await asSuperuser("CHECKPOINT");
      expect((await readSlot(db, names)).slot!.walStatus).toBe("lost");
    });
    const second = await start(log);
    await stands(second, "reading");
    await announced([...missed, ...await harness.insertEvents(db, 1)]);
    expect((await readSlot(db, names)).slot!.walStatus).toBe("reserved");
  });
});

describe("SlotReader and TLS", () => {
  it("reads over TLS as the URL says, and trusts the authority that it names", async () => {
    const directory = mkdtempSync(join(tmpdir(), "tributary-tls-"));
    const { ca, ...own } = testCertificate();
    const authority = join(directory, "ca.crt");
    writeFileSync(authority, ca);
    try {
      const { hba_file: _, ...settings } = postgresTls(directory, own);
      await open(settings);
      const secure = new URL(server.url);
      secure.searchParams.set("sslmode", "verify-full");
      secure.searchParams.set("sslrootcert", authority);
      await db.close();
      db = new Database({
        url: secure.href,
        max: 6,
        statementTimeoutMs: 10_000,
        applicationName: "test",
      });
      await stands(await start(await openEvents("embedded")), "reading");
      const encrypted = await db.query(
        `SELECT ssl FROM pg_stat_ssl JOIN pg_replication_slots ON pid = active_pid
          WHERE slot_name = $1`,
        [names.slot],
      );
      expect(encrypted).toEqual([{ ssl: true }]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("SlotReader and a server that is not fit", () => {
  it("says which setting is missing when there is no slot left, and goes on with one", async () => {
    await open({ max_replication_slots: "1" });
    await db.query("SELECT pg_create_physical_replication_slot('somebody_elses')");
    const waiting = await start(await openEvents("embedded"));
    await stands(waiting, "no_free_slot");
    expect(waiting.health().detail).toContain("max_replication_slots");
    await db.query("SELECT pg_drop_replication_slot('somebody_elses')");
    await stands(waiting, "reading");
  });

  it("refuses to start without a logical write-ahead log, and says what to set", async () => {
    await open({ wal_level: "replica" });
    const log = await openEvents("embedded");
    await expect(start(log)).rejects.toThrow(
      /wal_level of PostgreSQL is replica.*ALTER SYSTEM SET wal_level = logical/,
    );
    reader = undefined;
    const child = spawn(process.execPath, serviceArguments("notifier"), {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
      env: {
        ...process.env,
        SERVER_PORT: "0",
        METADATA_POSTGRES_URL: server.url,
        NOTIFICATIONS_ENABLED: "true",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => void (said += text));
    const code = await new Promise((ended) => child.once("exit", ended));
    expect([code, said]).toEqual([2, expect.stringContaining("wal_level")]);
    expect(said).toContain("ALTER SYSTEM SET wal_level = logical");
  });
});
