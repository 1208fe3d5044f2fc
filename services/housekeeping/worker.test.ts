import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Config } from "#platform/config/schema.ts";
import { housekeepingJobs, type Job } from "./jobs.ts";
import { handClock } from "#services/housekeeping/testing/clock.ts";
import { retained } from "./retention.queries.ts";
import { HousekeepingWorker, housekeepingWorker } from "./worker.ts";
import { testContext } from "#test/support/http/api.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

function worker(jobs: Job[], clock = handClock(), holder = "one", enabled = true) {
  return new HousekeepingWorker({
    enabled,
    jobs,
    clock,
    leases: new Leases(t.db, holder),
    log: silentLogger,
    metrics: noMetrics,
  });
}

function counting(name: string, every: number, batches: number[] = [1]) {
  const runs: number[] = [];
  const job: Job = {
    name,
    every,
    async *batches(now) {
      runs.push(now.getTime());
      for (const batch of batches) yield await Promise.resolve(batch);
    },
  };
  return { job, runs };
}

const unexpected = (error: unknown) => {
  throw error;
};

describe("HousekeepingWorker", () => {
  it("runs each job at once and again when it is due, not before", async () => {
    const clock = handClock(1_000_000);
    const often = counting("often", 20_000);
    const rarely = counting("rarely", 60_000);
    const unit = worker([often.job, rarely.job], clock);
    await unit.start(unexpected);
    await eventually(() => expect(clock.sleeping()).toBe(1));
    expect([often.runs, rarely.runs]).toEqual([[1_000_000], [1_000_000]]);
    expect(unit.health()).toEqual({ ready: true, state: "running" });
    clock.move(19_999);
    await eventually(() => expect(clock.sleeping()).toBe(1));
    expect(often.runs).toHaveLength(1);
    clock.move(10_000);
    await eventually(() => expect(often.runs).toEqual([1_000_000, 1_029_999]));
    expect(rarely.runs).toHaveLength(1);
    await unit.stop();
  });

  it("stands by while another holds the lease, and takes over when it is given up", async () => {
    const first = worker([counting("a", 60_000).job], handClock(), "first");
    const clock = handClock();
    const second = counting("a", 60_000);
    const other = worker([second.job], clock, "second");
    await first.start(unexpected);
    await eventually(() => expect(first.health().state).toBe("running"));
    await other.start(unexpected);
    await eventually(() => expect(clock.sleeping()).toBe(1));
    expect(other.health()).toEqual({ ready: true, state: "standby" });
    expect(second.runs).toEqual([]);
    await first.stop();
    clock.move(10_000);
    await eventually(() => expect(second.runs).toHaveLength(1));
    await other.stop();
  });

  it("goes on with the next job when one fails, and says which fails", async () => {
    const broken: Job = {
      name: "broken",
      every: 60_000,
      // deno-lint-ignore require-yield -- it fails before it has done anything
      async *batches() {
        await Promise.reject(new Error("no"));
      },
    };
    const fine = counting("fine", 60_000);
    const unit = worker([broken, fine.job]);
    await unit.start(unexpected);
    await eventually(() => expect(fine.runs).toHaveLength(1));
    expect(unit.health().detail).toBe("failing: broken");
    await unit.stop();
  });

  it("retries a failed job long before it is next due, then no longer reports it as failing", async () => {
    const clock = handClock();
    const runs: number[] = [];
    const hour = 3_600_000;
    const recovering: Job = {
      name: "recovering",
      every: hour,
      async *batches() {
        runs.push(clock.now());
        if (runs.length < 3) throw new Error("the graph has not started");
        yield await Promise.resolve(1);
      },
    };
    const unit = worker([recovering], clock);
    const began = clock.now();
    await unit.start(unexpected);
    const poll = async () => {
      await eventually(() => expect(clock.sleeping()).toBe(1));
      clock.move(10_000);
      await eventually(() => expect(clock.sleeping()).toBe(1));
    };
    await eventually(() => expect(unit.health().detail).toBe("failing: recovering"));
    for (let i = 0; i < 9; i++) await poll();
    expect(runs.map((at) => at - began)).toEqual([0, 30_000, 90_000]);
    expect(unit.health()).toEqual({ ready: true, state: "running" });
    for (let i = 0; i < 9; i++) await poll();
    expect(runs).toHaveLength(3);
    await unit.stop();
  });

  it("stops between two batches and may be stopped twice, or without a start", async () => {
    const done: number[] = [];
    const endless: Job = {
      name: "endless",
      every: 60_000,
      async *batches() {
        for (;;) yield await Promise.resolve(done.push(1));
      },
    };
    const unit = worker([endless]);
    await unit.stop();
    await unit.start(unexpected);
    await eventually(() => expect(done.length).toBeGreaterThan(2));
    await unit.stop();
    const batches = done.length;
    await unit.stop();
    expect(done.length).toBe(batches);
  });

  it("does nothing when it is switched off", async () => {
    const clock = handClock();
    const never = counting("never", 1);
    const unit = worker([never.job], clock, "one", false);
    await unit.start(unexpected);
    expect(unit.health()).toEqual({ ready: true, state: "disabled" });
    expect([never.runs, clock.sleeping()]).toEqual([[], 0]);
    await unit.stop();
  });
});

describe("housekeepingWorker", () => {
  it("runs its jobs with the configured retention times, hooks included", async () => {
    const { due, kept: remaining } = await insertEntities(t.db, [
      { name: "due", status: 5 },
      { name: "kept", status: 5 },
    ]);
    const now = Date.parse("2030-02-01T00:00:00.000Z");
    const ttl = 10 * 86_400_000;
    await t.db.query(
      `UPDATE data_entity SET status_updated_at = CASE id WHEN $1 THEN $2::timestamptz ELSE $3 END`,
      [due, new Date(now - ttl - 1), new Date(now - ttl)],
    );
    const trimmed = [3, 2, 0];
    const clock = handClock(now);
    const context = testContext(t, {
      clock,
      graph: { projection: "inline" } as never,
      config: Config.parse({ housekeeping: { ttl: { data_entity_delete_days: 10 } } }),
    });
    const unit = housekeepingWorker(context, {
      trimEventLog: () => Promise.resolve(trimmed.shift() ?? 0),
    });
    await unit.start(unexpected);
    await eventually(() => expect(clock.sleeping()).toBe(1));
    expect(unit.health()).toEqual({ ready: true, state: "running" });
    expect(await t.db.query("SELECT id FROM data_entity WHERE id = ANY($1)", [[due, remaining]]))
      .toEqual([{ id: remaining }]);
    expect(trimmed).toEqual([]);
    await unit.stop();
    await context.wakeups.close();
  });
});

describe("housekeepingJobs", () => {
  it("keeps the outbox rows that a projected graph has still to read", async () => {
    await t.db.query(
      `INSERT INTO lineage_outbox (position, entity_ids, created_at)
       SELECT n, '{}', '2020-01-01' FROM generate_series(1, 5) n`,
    );
    const context = testContext(t, {
      graph: { projection: "projected", position: () => Promise.resolve(3) } as never,
    });
    const job = housekeepingJobs(context, {}).find(({ name }) => name === "lineage-outbox")!;
    const batches: number[] = [];
    for await (const batch of job.batches(new Date("2030-01-01T00:00:00.000Z"))) {
      batches.push(batch);
    }
    expect(batches).toEqual([3]);
    expect(await t.db.query("SELECT position FROM lineage_outbox ORDER BY position"))
      .toEqual([{ position: 4 }, { position: 5 }]);
    await context.wakeups.close();
  });

  it("sweep by every key of retention, each under a name of its own", async () => {
    const context = testContext(t, { graph: { projection: "inline" } as never });
    const names = housekeepingJobs(context, {}).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const keys = retained.flatMap((row) =>
      "max" in row ? typeof row.max === "string" ? row.max : [] : row.retentionKey
    );
    expect(new Set([...keys, "data_entity_delete_days"]))
      .toEqual(new Set(Object.keys(Config.shape.housekeeping.unwrap().shape.ttl.unwrap().shape)));
    await context.wakeups.close();
  });

  it("sweep by the default time to live, and by the longest of several", async () => {
    await t.db.query(
      `INSERT INTO activity (event_type, created_at, old_state, new_state, system_event)
       VALUES ('DESCRIPTION_UPDATED', '1999-01-01', '{}', '{}', true)`,
    );
    await t.db.query(
      `INSERT INTO notification (event_id, alert_id, alert_type, event_type, event_at, state, created_at)
       SELECT n, n, 3, 'CREATED', '2030-01-01', 'announced', '2030-01-01'::timestamptz - n * interval '1 day'
         FROM unnest(ARRAY[39, 41]) n`,
    );
    const housekeeping = { ttl: { alert_events_days: 40, deliveries_days: 10 } };
    const context = testContext(t, { config: Config.parse({ housekeeping }) });
    const ran = async (name: string) => {
      const job = housekeepingJobs(context, {}).find((one) => one.name === name)!;
      return await Array.fromAsync(job.batches(new Date("2030-01-01T00:00:00.000Z")));
    };
    expect(await ran("stray-activity")).toEqual([1]);
    expect(await ran("known-changes")).toEqual([1]);
    expect(await t.db.query("SELECT event_id FROM notification")).toEqual([{ event_id: 39 }]);
    await context.wakeups.close();
  });
});
