import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import { ingestionBatches, ingestionGroup } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { HistoryGuard } from "#metadata/postgres/history/guard.ts";
import { decodeMark, encodeMark } from "#metadata/postgres/history/compare.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Database } from "#metadata/postgres/database.ts";
import { notePositions } from "#platform/ops/failover/queries.ts";
import { compareLog, notePositionsOnce } from "#platform/ops/failover/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { failoverCommand } from "./failover.ts";

/** A log outside of PostgreSQL with one topic in use, of one partition. */
class OutsideLog {
  notes: string[] = [];
  committed = 0;
  end = 0;
  members = 0;
  rewinds = 0;
  failure: Error | undefined;
  refused: string | undefined;

  asEventLog(): EventLog {
    const isUsed = (topic: string) => topic === ingestionBatches;
    return {
      engine: "kafka",
      notes: (_, topic) => Promise.resolve(isUsed(topic) ? this.notes : []),
      lag: (_, topic) => Promise.resolve(isUsed(topic) ? [this.#lag()] : []),
      bounds: (topic) =>
        Promise.resolve(isUsed(topic) ? [{ partition: 0, start: 3, end: this.end }] : []),
      refuse: (reason) => void (this.refused = reason),
      refusal: () => this.refused,
      rewind: (_, __, [to]) => {
        this.rewinds++;
        if (this.failure) return Promise.reject(this.failure);
        if (this.members-- > 0) return Promise.reject(unavailable("The group has members"));
        this.committed = to!.offset;
        return Promise.resolve();
      },
    } as Partial<EventLog> as EventLog;
  }

  #lag() {
    const { committed, end } = this;
    return { partition: 0, committed, end, lag: end - committed };
  }
}

describe("failoverCommand", () => {
  let test: TestDatabase;
  let db: Database;
  const log = new OutsideLog();
  const guard = new HistoryGuard({ holder: "test", log: silentLogger, metrics: noMetrics });
  beforeAll(async () => {
    test = await testDatabase();
    const options = { max: 4, statementTimeoutMs: 10_000, applicationName: "test" };
    db = new Database({ url: test.url, ...options, guard });
  });
  afterAll(async () => {
    await db.close();
    await test.drop();
  });

  async function run(command: "status" | "accept"): Promise<{ code: number; text: string }> {
    let text = "";
    // A minute passes at once.
    const clock = { ...systemClock, sleep: () => Promise.resolve() };
    const context = {
      db: test.db,
      events: log.asEventLog(),
      graph: new PostgresGraph(test.db),
      cache: memoryCache({ metrics: noMetrics, clock }),
      leases: new Leases(test.db, "command"),
      clock,
      log: silentLogger,
    };
    const output = { isTTY: false, write: (more: string) => void (text += more) };
    return { code: await failoverCommand(context, command, output), text };
  }

  /** Another process committed this, and it is not there. */
  function missingMark(at = Date.now()): string {
    const mark = decodeMark(guard.mark()!)!;
    return encodeMark({ ...mark, lsn: "FFFF/0", xid: "9999999", at });
  }

  it("says that nothing is missing, and accepts nothing", async () => {
    await db.transaction((tx) => tx.query("INSERT INTO owner (name) VALUES ('a')"));
    log.notes = [guard.mark()!, "what another program stored"];
    for (const command of ["status", "accept"] as const) {
      const { code, text } = await run(command);
      expect([code, text]).toEqual([
        0,
        expect.stringMatching(/serves timeline 1\.\nNothing that is known is missing\.\n$/),
      ]);
    }
  });

  it("says what is missing by what the log knows, with exit code 1", async () => {
    log.notes = [guard.mark()!, missingMark(Date.UTC(2040, 0, 1))];
    const { code, text } = await run("status");
    expect(code).toBe(1);
    expect(text).toContain("At least 1 acknowledged commits are missing.");
    expect(text).toContain("known to be missing:         2040-01-01T00:00:00.000Z");
    expect(text).toContain("npm run failover -- accept");
    expect(await test.db.query("SELECT missed_at FROM server_history")).toEqual([
      { missed_at: null },
    ]);
  });

  it("fails at once where consumers cannot be set back", async () => {
    const failure = new Error("Not authorized to access group");
    Object.assign(log, { committed: 10, end: 30, failure, rewinds: 0, notes: [missingMark()] });
    try {
      await expect(run("accept")).rejects.toThrow("Not authorized to access group");
    } finally {
      log.failure = undefined;
    }
    expect(log.rewinds).toBe(1);
  });

  it("sets consumers back to where PostgreSQL stands, once they have left, and has it used", async () => {
    Object.assign(log, { committed: 10, end: 30, members: 2, notes: [missingMark()] });
    await notePositionsOnce({ db, events: log.asEventLog() });
    log.committed = 25;
    const { code, text } = await run("accept");
    expect([code, log.committed]).toEqual([0, 10]);
    expect(text).toContain(
      `${ingestionGroup} of ${ingestionBatches}: 15 records are applied again`,
    );
    expect(await run("status")).toMatchObject({
      code: 0,
      text: expect.stringContaining("Accepted at"),
    });
  });

  it("sets consumers back to the beginning of the log where PostgreSQL noted no position", async () => {
    await test.db.query("DELETE FROM log_position");
    Object.assign(log, { committed: 25, notes: [missingMark()] });
    expect((await run("accept")).code).toBe(0);
    expect(log.committed).toBe(3);
  });

  it("accepts an older log: consumers read all of it, and its offsets no longer name batches", async () => {
    const events = log.asEventLog();
    // A broker that has just become the leader reports an old end at two looks.
    let looks = 0;
    let lateEnd: number | undefined = 30;
    const sleep = () => {
      if (looks++ > 0) log.end = lateEnd ?? log.end;
      return Promise.resolve();
    };
    const clock = { ...systemClock, sleep };
    Object.assign(log, { committed: 25, end: 30, notes: [] });
    await notePositionsOnce({ db, events });
    log.end = 20;
    await compareLog({ db, events, clock });
    expect([log.refused, looks]).toEqual([undefined, 2]);
    lateEnd = undefined;
    await test.db.query(
      `INSERT INTO applied_batch (batch, part, outcome, position)
       SELECT batch, 0, 'applied', 0
         FROM unnest('{ingestion.batches/0/20, ingestion.batches/1/20, b}'::text[]) batch`,
    );
    Object.assign(log, { committed: 12, end: 12 });
    await compareLog({ db, events, clock });
    expect(log.refused).toContain("partition 0 of ingestion.batches ended before offset 25");
    expect(await run("status")).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        "Kafka lacks records of ingestion.batches, partition 0, before",
      ),
    });
    // Others publish meanwhile.
    log.end = 40;
    await compareLog({ db, events, clock });
    expect(log.refused).toBeDefined();
    const { code, text } = await run("accept");
    expect([code, log.committed, text]).toEqual([
      0,
      3,
      expect.stringContaining("9 records are applied again"),
    ]);
    await compareLog({ db, events, clock });
    expect(log.refused).toBeUndefined();
    const rows = await test.db.query<{ batch: string }>("SELECT batch FROM applied_batch");
    expect(rows.map(({ batch }) => batch.replace(/^lost-\w{8}/, "lost")).sort())
      .toEqual(["b", "ingestion.batches/1/20", "lost/ingestion.batches/0/20"]);
  });

  it("does not note positions of a former timeline", async () => {
    const position = { group: ingestionGroup, topic: ingestionBatches, partition: 0, committed: 7 };
    await notePositions(db, crypto.randomUUID(), [position]);
    expect(await test.db.query("SELECT 1 FROM log_position WHERE committed = 7")).toEqual([]);
  });
});
