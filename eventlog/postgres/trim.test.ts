import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { EventLog } from "#eventlog/port.ts";
import { postgresEventLog } from "#eventlog/postgres/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

const hour = 3_600_000;

describe("trim on PostgreSQL", () => {
  let test: TestDatabase;
  let log: EventLog;
  beforeAll(async () => {
    test = await testDatabase();
    const wakeups = new Wakeups(test.url, silentLogger);
    log = postgresEventLog({ db: test.db, wakeups, log: silentLogger, metrics: noMetrics });
  });
  afterAll(() => test.drop());

  it("deletes what is past its topic's retention, in every batch, and keeps offsets growing", async () => {
    const spec = { partitions: 1, maxRecordBytes: 1_000 };
    await log.ensureTopics([
      { ...spec, name: "short", retentionMs: hour },
      { ...spec, name: "long", retentionMs: 24 * hour },
    ]);
    const record = { key: null, value: new Uint8Array(1), headers: {} };
    const records = Array.from({ length: 2_300 }, () => record);
    for (const topic of ["short", "long"]) await log.publish(topic, records, { timeoutMs: 10_000 });

    expect(await log.trim(Date.now())).toBe(0);
    expect(await log.trim(Date.now() + 2 * hour)).toBe(2_300);
    expect(await log.bounds("short")).toEqual([{ partition: 0, start: 2_300, end: 2_300 }]);
    expect(await log.bounds("long")).toEqual([{ partition: 0, start: 0, end: 2_300 }]);
    expect((await log.lag("nobody", "short"))[0]!.lag).toBe(0);

    const [next] = await log.publish("short", [record], { timeoutMs: 10_000 });
    expect(next!.offset).toBe(2_300);
    expect(await log.read("short", { partition: 0, from: 0, limit: 10 })).toHaveLength(1);
  });
});
