import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { BatchHandler } from "#eventlog/port.ts";
import { type Clauses, range, type Subject, text } from "#test/conformance/eventlog/subject.ts";
import { eventually } from "#test/support/eventually.ts";

/** Counts what is handled, by worker, and notes when two handlers have one partition at once. */
function watch() {
  const state = {
    overlaps: 0,
    handled: [] as { worker: string; partition: number; text: string }[],
  };
  const busy = new Set<number>();
  const handlerOf = (worker: string): BatchHandler => async (records) => {
    const { partition } = records[0]!;
    if (busy.has(partition)) state.overlaps++;
    busy.add(partition);
    await new Promise((done) => setTimeout(done, 2));
    for (const record of records) {
      state.handled.push({ worker, partition: record.partition, text: text(record) });
    }
    busy.delete(partition);
  };
  return { state, handlerOf };
}

async function settled(subject: Subject, topic: string): Promise<void> {
  const lag = () => subject.log.lag("group", topic);
  await eventually(async () => {
    const left = (await lag()).reduce((sum, l) => sum + l.lag, 0);
    expect(left).toBe(0);
  }, { describe: lag });
}

/** What the consumers of one group are promised together. */
export const groupClauses: Clauses = {
  async "two workers of a group share its partitions"(subject) {
    const topic = await subject.topic({ partitions: 4 });
    const { state, handlerOf } = watch();
    await subject.consume({ topic, handler: handlerOf("a") }, subject.log);
    await subject.consume({ topic, handler: handlerOf("b") }, subject.other);
    await eventually(async () => {
      state.handled = [];
      await subject.publish(topic, range(4).map((partition) => ({ partition })));
      await settled(subject, topic);
      const by = (worker: string) => state.handled.filter((h) => h.worker === worker).length;
      expect([by("a"), by("b")]).toEqual([2, 2]);
    });
    expect(state.overlaps).toBe(0);
  },

  async "a worker that joins or leaves in mid-stream costs no record and no order"(subject) {
    const topic = await subject.topic({ partitions: 4 });
    const { state, handlerOf } = watch();
    let sent = 0;
    const send = () => {
      const n = sent++;
      return subject.publish(topic, range(4).map((partition) => ({ partition, text: String(n) })));
    };
    const a = await subject.consume({ topic, maxRecords: 3, handler: handlerOf("a") });
    for (const _ of range(20)) await send();
    await subject.consume({ topic, maxRecords: 3, handler: handlerOf("b") }, subject.other);
    for (const _ of range(20)) await send();
    await eventually(async () => {
      await send();
      expect(state.handled.some((h) => h.worker === "b")).toBe(true);
    });
    await a.stop();
    for (const _ of range(20)) await send();
    await settled(subject, topic);
    expect(state.overlaps).toBe(0);
    for (const p of range(4)) {
      const numbers = state.handled.filter((h) => h.partition === p).map((h) => Number(h.text));
      expect(numbers).toEqual(range(sent));
    }
  },

  async "one group name on two topics is two groups"(subject) {
    const [one, two] = [await subject.topic(), await subject.topic()];
    const first = await subject.collect({ topic: one });
    const second = await subject.collect({ topic: two }, subject.other);
    await subject.publish(one, range(8).map((i) => ({ key: `k${i}`, text: "one" })));
    await subject.publish(two, range(8).map((i) => ({ key: `k${i}`, text: "two" })));
    await eventually(() => expect([...first.received, ...second.received]).toHaveLength(16));
    expect(first.received.map(text)).toEqual(range(8).map(() => "one"));
    expect(second.received.map(text)).toEqual(range(8).map(() => "two"));
  },

  async "what a killed consumer had not marked done goes to another"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    await subject.publish(topic, range(3).map((i) => ({ text: String(i) })));
    const child = subject.spawn({ topic, group: "group" });
    expect(await child.heard("got")).toEqual({ partition: 0, offsets: [0, 1, 2] });
    await child.kill();
    const { received } = await subject.collect({ topic });
    const within = subject.options.target.sessionMs + 20_000;
    await eventually(() => expect(received.map(text)).toEqual(["0", "1", "2"]), { within });
  },

  async "a zombie, stopped past its session, can mark nothing done and is told so"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    await subject.publish(topic, [{ text: "0" }]);
    const zombie = subject.spawn({ topic, group: "group" });
    await zombie.heard("got");
    await zombie.pause();
    const seen: string[] = [];
    await subject.consume({
      topic,
      handler(records) {
        seen.push(...records.map(text));
        // Never marked done: whatever is committed later must have come from the zombie.
        return Promise.reject(new Error("not done"));
      },
    });
    const within = subject.options.target.sessionMs + 20_000;
    await eventually(() => expect(seen.length).toBeGreaterThan(0), { within });
    await zombie.resume();
    expect(await zombie.heard("heartbeat")).toBe("lost");
    expect(await zombie.heard("done")).toBe("lost");
    const [lag] = await subject.log.lag("group", topic);
    expect(lag).toMatchObject({ committed: 0, lag: 1 });
  },

  async "a worker that is stopped while it joins leaves its partitions to the others"(subject) {
    const topic = await subject.topic();
    const staying = await subject.collect({ topic }, subject.log);
    await subject.publish(topic, [{ text: "first" }]);
    await eventually(() => expect(staying.received).toHaveLength(1));
    for (const ms of [10, 30, 60, 100, 150]) {
      const handler = () => Promise.resolve();
      const limits = { maxRecords: 100, maxBytes: 1_000_000, concurrency: 4 };
      const stopped = subject.other.consumer({ group: "group", topic, handler, ...limits });
      await stopped.start(() => {});
      await pause(ms);
      await stopped.stop();
    }
    await subject.publish(topic, range(30).map((i) => ({ key: `k${i}`, text: `late ${i}` })));
    const late = range(30).map((i) => `late ${i}`).sort();
    await eventually(() => expect(staying.received.map(text).slice(1).sort()).toEqual(late));
  },

  async "a log outside of the metadata store returns what was noted with offsets, and sets a group back"(
    subject,
  ) {
    const { log, options: { target } } = subject;
    expect([log.notes, log.rewind].map(Boolean)).toEqual(
      target.engine === "kafka" ? [true, true] : [false, false],
    );
    if (!log.notes || !log.rewind || target.engine !== "kafka") return;
    const topic = await subject.topic({ partitions: 1 });
    expect(await log.notes("group", topic)).toEqual([]);
    await subject.publish(topic, range(6).map((i) => ({ text: String(i) })));
    const { worker, received } = await subject.collect({ topic });
    await settled(subject, topic);
    expect(await log.notes("group", topic)).toEqual([`a note of ${target.instance}`]);
    const back = [{ partition: 0, offset: 4 }];
    await expect(log.rewind("group", topic, back)).rejects.toMatchObject({ status: 503 });
    await worker.stop();
    await eventually(() => log.rewind!("group", topic, back));
    expect(await log.lag("group", topic)).toEqual([
      { partition: 0, committed: 4, end: 6, lag: 2 },
    ]);
    expect(received).toHaveLength(6);
    const again = await subject.collect({ topic });
    await eventually(() => expect(again.received.map(text)).toEqual(["4", "5"]));
  },
};
