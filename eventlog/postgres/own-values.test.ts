import { Buffer } from "node:buffer";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Metrics, noMetrics } from "#kit/metrics.ts";
import type { Worker } from "#kit/worker.ts";
import type { BatchHandler, EventLog, LogRecord, NewRecord } from "#eventlog/port.ts";
import { OwnValues } from "#eventlog/postgres/own-values.ts";
import { fetchRecords } from "#eventlog/postgres/records.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { eventually } from "#test/support/eventually.ts";

const big = (fill: number, size = 10_000) => new Uint8Array(size).fill(fill);
const record = (value: Uint8Array): NewRecord => ({ key: "k", value, headers: { batch: "b" } });
const publishing = { timeoutMs: 10_000 };

describe("values that a process appended itself", () => {
  let test: TestDatabase;
  let own: EventLog;
  let other: EventLog;
  const workers: Worker[] = [];
  beforeAll(async () => {
    test = await testDatabase();
    own = openLog({ engine: "postgres", url: test.url, sessionMs: 10_000 });
    other = openLog({ engine: "postgres", url: test.url, sessionMs: 10_000 });
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
  });
  afterAll(async () => {
    await own.close();
    await other.close();
    await test.drop();
  });

  /** Appends while a consumer has the partition in flight, changes what is stored, and returns what is delivered. */
  async function delivered(
    topic: string,
    { by, records, change }: { by: EventLog; records: NewRecord[]; change: string },
  ): Promise<LogRecord[]> {
    const spec = { partitions: 1, maxRecordBytes: 1_000_000, retentionMs: 3_600_000 };
    await own.ensureTopics([{ name: topic, ...spec }]);
    const got: LogRecord[] = [];
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const handler: BatchHandler = async (batch) => {
      begun.resolve();
      await release.promise;
      got.push(...batch);
    };
    const limits = { maxRecords: 10, maxBytes: 100_000_000, concurrency: 1 };
    const worker = own.consumer({ group: "g", topic, handler, ...limits });
    workers.push(worker);
    await worker.start(() => {});
    await eventually(() => expect(worker.health().ready).toBe(true));
    // The first record keeps the consumer busy while the others are appended and changed.
    await own.publish(topic, [record(new Uint8Array(1))], publishing);
    await begun.promise;
    await by.publish(topic, records, publishing);
    await test.db.query(`UPDATE log_record SET ${change} WHERE topic = $1 AND "offset" > 0`, [
      topic,
    ]);
    release.resolve();
    await eventually(() => expect(got).toHaveLength(1 + records.length));
    return got.slice(1);
  }

  const sevens = "value = decode(repeat('07', octet_length(value)), 'hex')";
  const records = [record(big(1)), record(Buffer.from(big(2))), record(big(3, 10))];

  it("are delivered without being read; small ones are read", async () => {
    const got = await delivered("own", { by: own, records, change: sevens });
    expect(got.map(({ value }) => value)).toEqual([big(1), big(2), big(7, 10)]);
    expect(got.map(({ offset, key, headers }) => ({ offset, key, headers }))).toEqual(
      [1, 2, 3].map((offset) => ({ offset, key: "k", headers: { batch: "b" } })),
    );
  });

  it("are requested again where more were left out than are here", async () => {
    await delivered("left-out", { by: own, records: [...records, record(big(4))], change: sevens });
    const range = { topic: "left-out", partition: 0, from: 1, to: 9, maxRecords: 9, maxBytes: 1e6 };
    const get = (offset: number) => offset === 2 ? record(big(2)) : undefined;
    const got = await fetchRecords(test.db, range, { offsets: "any", get });
    expect(got.map(({ value }) => value)).toEqual([big(7), big(2), big(7, 10), big(7)]);
  });

  it("are read where another process appended them", async () => {
    const got = await delivered("others", { by: other, records, change: sevens });
    expect(got.map(({ value }) => value)).toEqual([big(7), big(7), big(7, 10)]);
  });

  it.each([
    ["headers", `${sevens}, envelope = '{"key": "k", "headers": {"batch": "c"}}'`],
    ["key", `${sevens}, envelope = '{"key": "l", "headers": {"batch": "b"}}'`],
    ["length", "value = decode(repeat('07', 9999), 'hex')"],
  ])("are read where the record of their offset has another %s", async (what, change) => {
    const got = await delivered(`set-back-${what}`, { by: own, records: [record(big(1))], change });
    expect(got[0]!.value).toEqual(big(7, what === "length" ? 9_999 : 10_000));
  });
});

describe("OwnValues", () => {
  const at = (offset: number, partition = 0) => ({ topic: "t", partition, offset });

  /** With the last value of its gauge. */
  function measured(max?: number): { values: OwnValues; bytes: () => number } {
    let last = 0;
    const gauge: Metrics["gauge"] = () => ({ set: (_labels, value) => void (last = value) });
    return { values: new OwnValues({ ...noMetrics, gauge }, max), bytes: () => last };
  }

  it("holds no more than its limit, and drops the oldest first", () => {
    const { values, bytes } = measured(25_000);
    const range = values.open("t", 0, 0);
    for (const n of [0, 1, 2]) values.keep([record(big(n))], [at(n)]);
    expect(range.offsets).toEqual([1, 2]);
    expect(bytes()).toBe(20_000);
    values.keep([record(big(3, 30_000))], [at(3)]);
    expect(range.offsets).toEqual([1, 2]);
  });

  it("holds only what is consumed here, and until it is done", () => {
    const { values, bytes } = measured();
    const range = values.open("t", 0, 5);
    values.keep([4, 5, 6].map(() => record(big(1))), [at(4), at(5), at(6, 1)]);
    expect(range.offsets).toEqual([5]);
    range.forget(6);
    values.keep([record(big(1))], [at(5)]);
    expect(bytes()).toBe(0);
    values.keep([record(big(1))], [at(6)]);
    range.close();
    values.keep([record(big(1))], [at(7)]);
    expect([bytes(), range.offsets]).toEqual([0, []]);
  });

  it("may have more than it tells while something is appended", () => {
    const { values } = measured();
    const range = values.open("t", 0, 0);
    const ended = [values.appending("t", [0, 0]), values.appending("t", [0, 1])];
    values.appending("t", [1]);
    expect(range.offsets).toBe("any");
    ended.forEach((end) => end());
    expect(range.offsets).toEqual([]);
  });

  it("keeps no large buffer alive for a small value, and counts what it keeps alive", () => {
    const { values, bytes } = measured();
    const range = values.open("t", 0, 0);
    const large = big(1, 1_000_000);
    values.keep([record(large.subarray(0, 10_000))], [at(0)]);
    expect(bytes()).toBe(10_000);
    expect(range.get(0)!.value).toEqual(big(1));
    values.keep([record(large.subarray(0, 500_000))], [at(1)]);
    expect(bytes()).toBe(1_010_000);
  });
});
