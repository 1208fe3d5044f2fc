import { Buffer } from "node:buffer";
import { expect } from "vitest";
import { partitionOf } from "#eventlog/records.ts";
import { AppError, PermanentError } from "#kit/errors.ts";
import { type Clauses, range, text } from "#test/conformance/eventlog/subject.ts";
import { eventually } from "#test/support/eventually.ts";
import { openLog } from "#test/support/engines/logs.ts";

const megabyte = 1024 * 1024;

/** What `ensureTopics`, `publish`, `read` and `bounds` promise. */
export const publishClauses: Clauses = {
  async "a publish keeps the order of its records and tells their positions"(subject) {
    const topic = await subject.topic();
    const records = range(200).map((i) => ({ text: String(i), partition: i % 3 }));
    const positions = await subject.publish(topic, records);
    for (const partition of [0, 1, 2]) {
      const read = await subject.log.read(topic, { partition, from: 0, limit: 1_000 });
      expect(read.map(text)).toEqual(range(200).filter((i) => i % 3 === partition).map(String));
      expect(read.map((r) => r.offset))
        .toEqual(positions.filter((p) => p.partition === partition).map((p) => p.offset));
    }
    expect(positions.every((p) => p.topic === topic)).toBe(true);
  },

  async "a truncated topic has no records, and later ones get higher offsets"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    await subject.publish(topic, [{ text: "a", partition: 0 }, { text: "b", partition: 0 }]);
    await subject.log.truncate(topic);
    const bounds = await subject.log.bounds(topic);
    expect(bounds.map(({ start, end }) => end - start)).toEqual([0, 0]);
    const [position] = await subject.publish(topic, [{ text: "c", partition: 0 }]);
    expect(position!.offset).toBe(2);
    const read = await subject.log.read(topic, { partition: 0, from: 0, limit: 10 });
    expect(read.map(text)).toEqual(["c"]);
  },

  async "records of one key keep their order over many publishes"(subject) {
    const topic = await subject.topic();
    const keys = ["//a", "//b", "//ż"];
    for (const i of range(30)) {
      await subject.publish(
        topic,
        keys.flatMap((key) => [{ key, text: `${i}.0` }, { key, text: `${i}.1` }]),
      );
    }
    const { received } = await subject.collect({ topic });
    await eventually(() => expect(received).toHaveLength(180));
    for (const key of keys) {
      expect(received.filter((r) => r.key === key).map(text))
        .toEqual(range(30).flatMap((i) => [`${i}.0`, `${i}.1`]));
    }
  },

  async "concurrent publishes lose nothing, and each stays in order"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    await Promise.all(
      range(40).map((p) =>
        (p % 2 === 0 ? subject.log : subject.other).publish(
          topic,
          range(5).map((i) => ({
            key: `k${p % 4}`,
            headers: { p: String(p) },
            value: Buffer.from(String(i)),
          })),
          { timeoutMs: 20_000 },
        )
      ),
    );
    const { received } = await subject.collect({ topic });
    await eventually(() => expect(received).toHaveLength(200));
    for (const p of range(40)) {
      expect(received.filter((r) => r.headers.p === String(p)).map(text))
        .toEqual(range(5).map(String));
    }
  },

  async "a key goes to the partition that Kafka's own clients choose"(subject) {
    const topic = await subject.topic({ partitions: 5 });
    const keys = range(40).map((i) => `//source/${i}`);
    const positions = await subject.publish(topic, keys.map((key) => ({ key })));
    expect(positions.map((p) => p.partition)).toEqual(keys.map((key) => partitionOf(key, 5)));
  },

  async "records without a key spread over all partitions"(subject) {
    const topic = await subject.topic({ partitions: 3 });
    const positions = await subject.publish(topic, range(9).map(() => ({})));
    for (const p of range(3)) expect(positions.filter((x) => x.partition === p)).toHaveLength(3);
  },

  async "keys, headers and binary values come back as they went in"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const value = Uint8Array.from(range(256));
    const headers = { empty: "", "żółw": "🐢", nul: "a\u0000b", quote: `"\\` };
    const before = Date.now();
    await subject.publish(topic, [
      { key: "k\u0000\\x", headers, value },
      { key: null, value: new Uint8Array() },
      { key: "", value: value.subarray(10, 20) },
    ]);
    const read = await subject.log.read(topic, { partition: 0, from: 0, limit: 10 });
    expect(read.map((r) => r.key)).toEqual(["k\u0000\\x", null, ""]);
    expect(read[0]!.headers).toEqual(headers);
    expect(read.map((r) => [...r.value])).toEqual([[...value], [], range(20).slice(10)]);
    for (const { timestamp } of read) expect(Math.abs(timestamp - before)).toBeLessThan(60_000);
  },

  async "one record of 20 MB goes all the way"(subject) {
    const topic = await subject.topic();
    const value = Buffer.alloc(20 * megabyte);
    for (let i = 0; i < value.length; i += 4) {
      value.writeUInt32LE(Math.imul(i, 2654435761) >>> 0, i);
    }
    await subject.publish(topic, [{ key: "a", value }, { key: "a", text: "next" }]);
    const { received } = await subject.collect({ topic });
    // A delivery that takes long may be repeated.
    const distinct = () => [...new Map(received.map((record) => [record.offset, record])).values()];
    await eventually(() => expect(distinct()).toHaveLength(2));
    const [first, second] = distinct();
    expect(Buffer.compare(Buffer.from(first!.value), value)).toBe(0);
    expect(text(second!)).toBe("next");
  },

  async "a record over its topic's limit is refused for good, and nothing of its call is stored"(
    subject,
  ) {
    const topic = await subject.topic({ partitions: 1, maxRecordBytes: megabyte });
    const call = subject.publish(topic, [{ text: "x" }, { value: new Uint8Array(megabyte + 1) }]);
    const error = await call.catch((e) => e);
    expect(error).toBeInstanceOf(PermanentError);
    expect(error.reason).toBe("record_too_large");
    expect(await subject.log.bounds(topic)).toEqual([{ partition: 0, start: 0, end: 0 }]);
    await subject.publish(topic, [{ value: new Uint8Array(megabyte - 100) }]);
  },

  async "publish and ping reject with 503 in time when the engine cannot be reached"(subject) {
    const log = openLog(subject.options.unreachable);
    const started = Date.now();
    const record = { key: "a", value: new Uint8Array(1), headers: {} };
    const error = await log.publish("nowhere", [record], { timeoutMs: 800 }).catch((e) => e);
    expect(error).toBeInstanceOf(AppError);
    expect(error.status).toBe(503);
    await expect(log.ping(800)).rejects.toMatchObject({ status: 503 });
    expect(Date.now() - started).toBeLessThan(3_000);
    await log.close();
  },

  async "ensureTopics is safe when several processes do it at once, and again later"(subject) {
    const specs = range(3).map((i) => ({
      name: `many.${crypto.randomUUID().slice(0, 8)}.${i}`,
      partitions: 3,
      maxRecordBytes: megabyte,
      retentionMs: 3_600_000,
    }));
    await Promise.all(
      range(6).map((i) => (i % 2 ? subject.log : subject.other).ensureTopics(specs)),
    );
    await subject.log.ensureTopics(specs);
    for (const { name } of specs) expect(await subject.log.bounds(name)).toHaveLength(3);
  },

  async "bounds tell the first and next offset, and read gives a range of them"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    await subject.publish(topic, range(20).map((i) => ({ text: String(i), partition: 1 })));
    expect(await subject.log.bounds(topic)).toEqual([
      { partition: 0, start: 0, end: 0 },
      { partition: 1, start: 0, end: 20 },
    ]);
    const read = async (from: number, to: number | undefined, limit: number) =>
      (await subject.other.read(topic, { partition: 1, from, to, limit })).map(text);
    expect(await read(5, 8, 100)).toEqual(["5", "6", "7"]);
    expect(await read(17, undefined, 100)).toEqual(["17", "18", "19"]);
    expect(await read(0, undefined, 2)).toEqual(["0", "1"]);
    expect(await read(20, undefined, 5)).toEqual([]);
    expect(await subject.log.read(topic, { partition: 0, from: 0, limit: 5 })).toEqual([]);
  },
};
