import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#metadata/postgres/database.ts";
import {
  type Arrival,
  deliveryLog,
  expectExplained,
} from "#test/support/alerts/delivery-account.ts";
import { eventually } from "#test/support/eventually.ts";
import { type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { notifierEnvironment, readerOf, workersOf } from "#test/support/alerts/notifier.ts";
import { type OwnEngine, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { markOf, raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";

/** Milliseconds in which everything has healed and arrived. */
const within = 120_000;
const slot = "tributary_alerts";

describe.each(setsBySize())("a PostgreSQL ill-treated, %s engines", (set) => {
  let server: OwnEngine;
  let db: Database;
  let webhook: HttpSink;
  let api: ServiceProcess;
  let notifier: ServiceProcess;
  const marks: number[] = [];
  beforeAll(async () => {
    [server, webhook] = [await startPostgres(), await startHttpSink()];
    const name = `t_${crypto.randomUUID().slice(0, 8)}`;
    const env = notifierEnvironment(set, { name, url: server.url }, {
      RECEIVERS_WEBHOOK_URL: webhook.url,
      DELIVERY_TIMEOUT: "1 s",
      DELIVERY_RETRY_INITIAL: "50 ms",
      WAL_REPLICATION_SLOT_NAME: slot,
      WAL_PUBLICATION_NAME: slot,
    });
    api = await startService({ service: "api", env: { ...env, NOTIFICATIONS_ENABLED: "false" } });
    notifier = await startService({ service: "notifier", env });
    db = new Database({
      url: server.url,
      max: 4,
      statementTimeoutMs: 10_000,
      applicationName: "test",
    });
    await reads();
  });
  afterAll(async () => {
    await Promise.all([notifier?.kill(), api?.kill()]);
    await db?.close();
    await Promise.all([webhook?.close(), server?.stop()]);
  });

  const reads = () =>
    eventually(async () => expect((await readerOf(notifier)).state).toBe("reading"), {
      within,
      describe: () => notifier.output().slice(-8),
    });
  const send = (method: string, path: string, body?: unknown) =>
    fetch(new URL(path, api.url), {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  const raise = async (count: number) => {
    marks.push(...await raiseAlerts({ send }, count));
  };
  const arrived = () =>
    eventually(() => {
      const known = new Set(webhook.requests.map(({ body }) => markOf(body)));
      expect(marks.filter((mark) => !known.has(mark))).toEqual([]);
    }, { within, describe: () => notifier.output().slice(-8) });
  /** All has ended, and nothing is called delivered that did not arrive. */
  const explained = async () => {
    const log = await eventually(async () => {
      const rows = await deliveryLog(db);
      expect(rows.filter(({ state }) => state !== "delivered").length).toBe(0);
      return rows;
    }, { within });
    expect(log).toHaveLength(marks.length);
    const arrivals = webhook.requests.map(({ headers }): Arrival => {
      return { deliveryId: headers["webhook-id"] ?? "none", taken: true };
    });
    expectExplained(log, arrivals);
  };
  const reconnects = async (state: string) => {
    const text = await (await fetch(`${notifier.url}/metrics`)).text();
    const found = new RegExp(`reader_reconnects_total\\{state="${state}"\\} (\\d+)`).exec(text);
    return Number(found?.[1] ?? 0);
  };

  it("killed and started again amid alerts: it says so, and all of them arrive", async () => {
    await raise(60);
    await eventually(() => expect(webhook.requests.length).toBeGreaterThan(5));
    await server.kill();
    await eventually(async () => {
      const workers = await workersOf(notifier);
      expect(workers["alert slot reader"]).toMatchObject({ ready: false, state: "database_down" });
      expect(workers["sender of webhook"]).toMatchObject({ state: "waiting_for_metadata" });
      expect((await fetch(`${notifier.url}/health/ready`)).status).toBe(503);
    }, { within });
    const counted = webhook.requests.length;
    await server.restart();
    await reads();
    await eventually(() => raise(20), { within });
    await arrived();
    await explained();
    expect(webhook.requests.length).toBeGreaterThanOrEqual(counted);
    expect(notifier.ends()).toBe(0);
  });

  it("the slot is dropped behind its back: it is made again, and what it missed arrives", async () => {
    const before = await reconnects("slot_lost");
    const dropped = eventually(async () => {
      await db.query("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots");
      await db.query("SELECT pg_drop_replication_slot($1)", [slot]);
    }, { within });
    await Promise.all([raise(100), dropped]);
    await raise(20);
    await arrived();
    await explained();
    await reads();
    expect(await reconnects("slot_lost")).toBeGreaterThan(before);
  });

  it("the slot is lost while nobody reads: what it missed arrives when somebody does", async () => {
    await notifier.terminate();
    await raise(30);
    await eventually(() => db.query("SELECT pg_drop_replication_slot($1)", [slot]), { within });
    await raise(10);
    await notifier.start();
    await arrived();
    await explained();
    expect(notifier.output().some((line) => line.includes("slot_lost"))).toBe(true);
  });

  it("the publication is dropped amid alerts: it says so, makes it again, and all arrive", async () => {
    const before = await reconnects("publication_missing");
    await Promise.all([raise(100), db.query(`DROP PUBLICATION ${slot}`)]);
    await raise(20);
    await eventually(async () => {
      expect(await reconnects("publication_missing")).toBeGreaterThan(before);
    }, { within });
    await arrived();
    await explained();
    await reads();
  });
});
