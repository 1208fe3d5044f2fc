import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import { Projector } from "#services/ingest-consumer/projector/projector.ts";
import { writeStatus } from "#services/ingest-consumer/projector/queries.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedShape } from "#test/support/engines/lineage-graph.ts";
import { MemoryGraph } from "#test/support/engines/memory-graph.ts";

describe("Projector", () => {
  let test: TestDatabase;
  let wakeups: Wakeups;
  let graph: MemoryGraph;
  let crashes: unknown[];
  let running: Projector[];
  beforeAll(async () => {
    test = await testDatabase();
    wakeups = new Wakeups(test.url, silentLogger);
  });
  afterAll(async () => {
    await wakeups.close();
    await test.drop();
  });
  beforeEach(async () => {
    [graph, crashes, running] = [new MemoryGraph(), [], []];
    await test.db.query("DELETE FROM lease");
    await test.db.query("DELETE FROM projection_status");
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.stop()));
    expect(crashes).toEqual([]);
  });

  async function start(holder = "one"): Promise<Projector> {
    const projector = new Projector({
      db: test.db,
      graph,
      leases: new Leases(test.db, holder),
      wakeups,
      clock: systemClock,
      log: silentLogger,
      metrics: noMetrics,
    });
    running.push(projector);
    await projector.start((error) => void crashes.push(error));
    return projector;
  }
  const live = async () => {
    const rows = await test.db.query<{ edge: string }>(
      "SELECT DISTINCT parent_id || '>' || child_id AS edge FROM lineage_edge WHERE live",
    );
    return rows.map((row) => row.edge).sort();
  };
  const status = async () => {
    const [row] = await test.db.query<{ position: number; state: string; head: number }>(
      "SELECT position, state, lineage_head() AS head FROM projection_status",
    );
    return row;
  };
  const projected = () =>
    eventually(async () => {
      const row = await status();
      expect(row).toMatchObject({ state: "running", position: row?.head });
      expect(graph.storedEdges()).toEqual(await live());
    }, { describe: status });

  it("start projects what is there, then each change as it is committed", async () => {
    const ids = await seedShape(test.db, 3, [[0, 1], [1, 2]]);
    await start();
    await projected();
    await test.db.transaction(async (tx) => {
      await tx.query("DELETE FROM lineage_edge WHERE parent_id = $1", [ids[0]]);
      await tx.query("SELECT lineage_append($1)", [[ids[0], ids[1]]]);
    });
    await projected();
    await seedShape(test.db, 2, [[0, 1], [1, 1]]);
    await projected();
  });

  it("a change is projected by its wake-up, long before the next poll", async () => {
    await start();
    await projected();
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      await seedShape(test.db, 2, [[0, 1]]);
      const [{ head }] = await test.db.query<{ head: number }>("SELECT lineage_head() AS head") as [
        { head: number },
      ];
      const committed = performance.now();
      while (graph.at < head) await new Promise((resolve) => setTimeout(resolve, 1));
      times.push(performance.now() - committed);
    }
    expect(Math.min(...times)).toBeLessThan(200);
  });

  it("many positions are written as few batches", async () => {
    for (let i = 0; i < 60; i++) await seedShape(test.db, 2, [[0, 1]]);
    await start();
    await projected();
    expect(graph.batches.length).toBeLessThan(5);
  });

  it("an edge that leaves deleted entities is taken out, and comes back with them", async () => {
    const ids = await seedShape(test.db, 3, [[0, 1], [1, 2]]);
    await start();
    for (const alive of [false, true]) {
      await test.db.transaction(async (tx) => {
        await tx.query("UPDATE lineage_edge SET live = $2 WHERE $1 IN (parent_id, child_id)", [
          ids[1],
          alive,
        ]);
        await tx.query("SELECT lineage_append($1)", [[ids[1]]]);
      });
      await projected();
      expect(graph.edges.has(`${ids[0]}>${ids[1]}`)).toBe(alive);
    }
  });

  it("one leads, the other stands by and takes over when the first one stops", async () => {
    const first = await start("one");
    await projected();
    const second = await start("two");
    await eventually(() => expect(second.health().state).toBe("standby"));
    await first.stop();
    await seedShape(test.db, 2, [[0, 1]]);
    await projected();
    expect(second.health().state).toBe("running");
  });

  it("a leader that wakes after its lease was taken changes nothing more", async () => {
    const first = await start("one");
    await projected();
    let wake = () => {};
    graph.gate = new Promise((open) => wake = open);
    await seedShape(test.db, 2, [[0, 1]]);
    await eventually(() => expect(first.health().state).toBe("running"));
    await test.db.query("UPDATE lease SET expires_at = now() - interval '1 minute'");
    const slept = graph.gate;
    graph.gate = Promise.resolve();
    await start("two");
    await projected();
    const written = graph.batches.length;
    wake();
    await slept;
    await eventually(() => expect(first.health().state).toBe("standby"));
    expect(graph.batches.length).toBe(written);
    expect(graph.storedEdges()).toEqual(await live());
  });

  it("a leader that lost its lease unawares does not tell its old position", async () => {
    await start();
    await projected();
    await test.db.query(
      "UPDATE lease SET holder = 'other', expires_at = now() + interval '1 hour'",
    );
    await test.db.query("UPDATE projection_status SET position = 123456789");
    await writeStatus(test.db, "one", { position: 1, state: "running" });
    expect((await status())?.position).toBe(123456789);
  });

  it("a graph that is down is told, waited for, and caught up with", async () => {
    const projector = await start();
    await projected();
    graph.fault = unavailable("The lineage graph is not available");
    await seedShape(test.db, 2, [[0, 1]]);
    await eventually(async () => expect((await status())?.state).toBe("graph_down"));
    expect(projector.health()).toEqual({
      ready: false,
      state: "graph_down",
      detail: "The lineage graph is not available",
    });
    graph.fault = undefined;
    await projected();
  });

  it("a graph behind the oldest row of the outbox is rebuilt", async () => {
    await seedShape(test.db, 3, [[0, 1], [1, 2]]);
    await test.db.query("DELETE FROM lineage_outbox WHERE position < lineage_head()");
    graph.edges.set("1>999999", [1, 999999]);
    graph.at = 1;
    await start();
    await projected();
  });

  it("a graph ahead of restored metadata, in position and epoch, is rebuilt", async () => {
    graph.epoch = 50;
    graph.at = 1_000_000;
    graph.edges.set("1>999999", [1, 999999]);
    await start();
    await projected();
    expect(graph.epoch).toBeGreaterThan(50);
  });

  it("a graph that lost its data while projecting is filled again", async () => {
    await start();
    await projected();
    Object.assign(graph, { epoch: 0, at: 0 });
    graph.edges.clear();
    await seedShape(test.db, 2, [[0, 1]]);
    await projected();
  });

  it("stop finishes the batch at work and gives the lease up", async () => {
    const projector = await start();
    await projected();
    await projector.stop();
    expect(projector.health().state).toBe("stopped");
    expect(await new Leases(test.db, "next").acquire("graph-projector", 1_000)).not.toBeNull();
  });
});
