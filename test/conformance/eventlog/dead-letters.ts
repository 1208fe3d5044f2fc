import { expect } from "vitest";
import { deadLetterHeaders, ingestionDeadLetters, topics } from "#contract/topics.ts";
import {
  deadLetter,
  dropDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from "#eventlog/dead-letters.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { type Clauses, type Subject, text } from "#test/conformance/eventlog/subject.ts";

const batch = { type: "ingestion.batch", version: "1", batch: "b-1", part: "0", parts: "1" };

const box = (events: EventLog) => ({ events, log: silentLogger, metrics: noMetrics });

/** One record in a topic of its own, and its store with no open dead letter. */
async function failed(
  subject: Subject,
  given: { text: string; headers?: Record<string, string>; key?: string },
) {
  const store = { events: subject.log, db: subject.db };
  await subject.log.ensureTopics(topics(2));
  await dropDeadLetters(store, { all: true });
  const topic = await subject.topic({ partitions: 2 });
  await subject.publish(topic, [{ partition: 1, text: "before" }]);
  await subject.publish(topic, [{ key: "//ż", partition: 1, ...given }]);
  const record = (await all(subject, topic)).at(-1)!;
  const refuse = async (reason: string, message = "was wrong") => {
    const details = [{ field: "a", message: "b" }];
    const refused = { topic, record, reason, message, details };
    return (await deadLetter(box(subject.log), refused))!;
  };
  return { store, topic, record, refuse };
}

async function all(subject: Subject, topic: string): Promise<LogRecord[]> {
  const bounds = await subject.log.bounds(topic);
  const reads = bounds.map(({ partition }) =>
    subject.log.read(topic, { partition, from: 0, limit: 1_000 })
  );
  return (await Promise.all(reads)).flat();
}

/** What `eventlog/dead-letters.ts` promises over every log. */
export const deadLetterClauses: Clauses = {
  async "a dead letter tells reason and origin, and keeps key, headers and value"(subject) {
    const headers = { ...batch, "received-at": "17" };
    const { store, topic, record, refuse } = await failed(subject, { text: "bad", headers });
    const { partition, offset } = await refuse("malformed", "field a\u0000 \ud800");
    const range = { partition, from: offset, limit: 1 };
    const [stored] = await subject.log.read(ingestionDeadLetters, range);
    expect(stored).toMatchObject({ key: "//ż", headers });
    expect(text(stored!)).toBe("bad");
    expect(stored!.headers).toMatchObject({
      [deadLetterHeaders.reason]: "malformed",
      [deadLetterHeaders.message]: "field a\u0000 \ufffd",
      [deadLetterHeaders.details]: `[{"field":"a","message":"b"}]`,
      [deadLetterHeaders.originTopic]: topic,
      [deadLetterHeaders.originPartition]: "1",
      [deadLetterHeaders.originOffset]: String(record.offset),
    });
    const [listed] = await listDeadLetters(store, { all: true });
    expect(listed).toMatchObject({
      id: `${partition}-${offset}`,
      reason: "malformed",
      origin: `${topic}/1/${record.offset}`,
      key: "//ż",
      bytes: 3,
      cut: false,
    });
  },

  async "a replay puts the record back as it was, once"(subject) {
    const headers = { ...batch, "received-at": "17" };
    const { store, topic, refuse } = await failed(subject, { text: "bad", headers });
    await refuse("malformed");
    expect(await replayDeadLetters(store, { all: true })).toEqual({ replayed: 1, skipped: [] });
    expect(await replayDeadLetters(store, { all: true })).toEqual({ replayed: 0, skipped: [] });
    const back = (await all(subject, topic)).filter((r) => text(r) === "bad");
    expect(back).toHaveLength(2);
    expect(back.map(({ key, headers }) => ({ key, headers })))
      .toEqual([{ key: "//ż", headers }, { key: "//ż", headers }]);
    expect(await listDeadLetters(store, { all: true })).toEqual([]);
  },

  async "a record without an identity is replayed under the one of its first place"(subject) {
    const { store, topic, record, refuse } = await failed(subject, { text: "bad" });
    await refuse("malformed");
    await replayDeadLetters(store, { all: true });
    const replayed = (await all(subject, topic)).filter((r) =>
      text(r) === "bad" && r.headers.batch
    );
    expect(replayed).toHaveLength(1);
    expect(replayed[0]!.headers).toEqual({
      batch: `${topic}/1/${record.offset}`,
      part: "0",
      parts: "1",
      "received-at": String(record.timestamp),
    });
  },

  async "replay and drop take a reason or ids"(subject) {
    const { store, refuse } = await failed(subject, { text: "bad", headers: batch });
    const [a, b, c] = [await refuse("one"), await refuse("two"), await refuse("two")];
    const id = ({ partition, offset }: typeof a) => `${partition}-${offset}`;
    expect((await replayDeadLetters(store, { reason: "one" })).replayed).toBe(1);
    expect((await listDeadLetters(store, { reason: "two" })).map((l) => l.id)).toEqual(
      [b, c].map(id),
    );
    expect(await dropDeadLetters(store, { ids: [id(c), "1-999999", "x"] })).toBe(1);
    expect((await listDeadLetters(store, { all: true })).map((l) => l.id)).toEqual([id(b)]);
    expect((await replayDeadLetters(store, { ids: [id(b)] })).replayed).toBe(1);
    expect(await listDeadLetters(store, { all: true })).toEqual([]);
  },

  async "of a record refused for its size the first 64 kB are kept, and it is not replayed"(
    subject,
  ) {
    const { store, refuse } = await failed(subject, { text: "x".repeat(100_000), headers: batch });
    const position = await refuse("body_too_large");
    const [listed] = await listDeadLetters(store, { all: true });
    expect(listed).toMatchObject({ bytes: 65_536, cut: true });
    const outcome = await replayDeadLetters(store, { all: true });
    expect(outcome).toEqual({ replayed: 0, skipped: [`${position.partition}-${position.offset}`] });
    expect(await listDeadLetters(store, { all: true })).toHaveLength(1);
  },

  async "a letter keeps nothing that no reader could keep, and a replay brings none of it back"(
    subject,
  ) {
    const headers = {
      ...batch,
      batch: "b\u0000c",
      part: "4294967296",
      "received-at": "999999999999999",
      long: "l".repeat(100_000),
      other: "kept",
    };
    const key = "k\u0000".repeat(500_000);
    const { store, topic, record, refuse } = await failed(subject, { text: "bad", headers, key });
    await refuse("malformed");
    const [listed] = await listDeadLetters(store, { all: true });
    expect(listed).toMatchObject({ bytes: 3, cut: false, key: key.slice(0, 3_000) });
    expect((await replayDeadLetters(store, { all: true })).replayed).toBe(1);
    const [, replayed] = (await all(subject, topic)).filter((r) => text(r) === "bad")
      .sort((a, b) => a.headers.batch!.length - b.headers.batch!.length);
    expect(replayed).toMatchObject({ key: key.slice(0, 3_000) });
    expect(replayed!.headers).toEqual({
      type: "ingestion.batch",
      version: "1",
      other: "kept",
      batch: `${topic}/1/${record.offset}`,
      part: "0",
      parts: "1",
      "received-at": String(record.timestamp),
    });
  },

  async "a record as large as its topic takes still finds room among the dead letters"(subject) {
    const { maxRecordBytes } = topics(1).find(({ name }) => name === ingestionDeadLetters)!;
    const headers = { ...batch, note: "n".repeat(100) };
    const given = { text: "x".repeat(maxRecordBytes - 500), headers };
    const { store, refuse } = await failed(subject, given);
    await refuse("malformed", "w".repeat(5_000));
    expect(await listDeadLetters(store, { all: true })).toMatchObject([{
      reason: "malformed",
      bytes: 65_536,
      cut: true,
    }]);
  },

  async "what others wrote among the dead letters neither breaks the list nor the replay"(subject) {
    const { store } = await failed(subject, { text: "fine" });
    const foreign: Record<string, string>[] = [{}, { "dead-letter-failed-at": "soon" }, {
      "dead-letter-cut": "maybe",
    }];
    const records = foreign.map((headers) => ({ key: null, value: new Uint8Array(), headers }));
    await subject.log.publish(ingestionDeadLetters, records, { timeoutMs: 10_000 });
    expect(await listDeadLetters(store, { all: true })).toHaveLength(3);
    const outcome = await replayDeadLetters(store, { all: true });
    expect(outcome).toMatchObject({ replayed: 0, skipped: { length: 3 } });
  },
};
