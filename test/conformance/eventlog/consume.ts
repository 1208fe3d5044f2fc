import { expect } from "vitest";
import type { LogRecord } from "#eventlog/port.ts";
import { type Clauses, range, text } from "#test/conformance/eventlog/subject.ts";
import { eventually } from "#test/support/eventually.ts";

/** A promise that somebody else resolves. */
function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => open = resolve);
  return { open, passed };
}

const offsets = (records: LogRecord[]) => records.map((r) => r.offset);

/** What one consumer of a group is promised. */
export const consumeClauses: Clauses = {
  async "a handler that throws is given the same records again, and later ones wait"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    await subject.publish(topic, range(5).map((i) => ({ text: String(i) })));
    const deliveries: number[][] = [];
    await subject.consume({
      topic,
      maxRecords: 2,
      handler: (records) => {
        deliveries.push(offsets(records));
        return deliveries.length <= 2 ? Promise.reject(new Error("not yet")) : Promise.resolve();
      },
    });
    await eventually(() => expect(deliveries).toHaveLength(5));
    expect(deliveries).toEqual([[0, 1], [0, 1], [0, 1], [2, 3], [4]]);
  },

  async "records marked done before a throw do not come again"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    await subject.publish(topic, range(6).map((i) => ({ text: String(i) })));
    const deliveries: number[][] = [];
    await subject.consume({
      topic,
      async handler(records, context) {
        deliveries.push(offsets(records));
        if (deliveries.length > 1) return;
        await context.done(records[1]!.offset);
        throw new Error("the third is bad");
      },
    });
    await eventually(() => expect(deliveries.flat()).toContain(5));
    await eventually(async () => expect((await subject.log.lag("group", topic))[0]!.lag).toBe(0));
    expect(deliveries.slice(1).flat()).toEqual([2, 3, 4, 5]);
  },

  async "after a clean stop nothing that is done comes again, and nothing is skipped"(subject) {
    const topic = await subject.topic();
    const publish = (part: number) =>
      subject.publish(topic, range(20).map((i) => ({ key: `k${i}`, text: `${part}.${i}` })));
    await publish(1);
    const first = await subject.collect({ topic });
    await eventually(() => expect(first.received).toHaveLength(20));
    await first.worker.stop();
    await publish(2);
    const second = await subject.collect({ topic });
    await eventually(() => expect(second.received).toHaveLength(20));
    expect(second.received.map(text).sort()).toEqual(range(20).map((i) => `2.${i}`).sort());
    await second.worker.stop();
  },

  async "stop aborts the signal, waits for the batch in hand and counts it as done"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    await subject.publish(topic, [{ text: "in hand" }]);
    const [entered, finish] = [gate(), gate()];
    let aborted = false;
    const worker = await subject.consume({
      topic,
      async handler(_records, { signal }) {
        signal.addEventListener("abort", () => aborted = true);
        entered.open();
        await finish.passed;
      },
    });
    await entered.passed;
    let stopped = false;
    const stopping = worker.stop().then(() => stopped = true);
    await eventually(() => expect(aborted).toBe(true));
    expect(stopped).toBe(false);
    finish.open();
    await stopping;
    expect((await subject.log.lag("group", topic))[0]).toMatchObject({ committed: 1, lag: 0 });
    await worker.stop();
  },

  async "a stopped worker can be started again"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const { worker, received } = await subject.collect({ topic });
    await worker.stop();
    expect(worker.health().ready).toBe(false);
    await subject.publish(topic, [{ text: "later" }]);
    await worker.start(() => {});
    await eventually(() => expect(received.map(text)).toEqual(["later"]));
  },

  async "lag counts by group and partition what is not done"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    await subject.publish(topic, range(7).map(() => ({ partition: 1 })));
    expect(await subject.log.lag("group", topic)).toEqual([
      { partition: 0, committed: 0, end: 0, lag: 0 },
      { partition: 1, committed: 0, end: 7, lag: 7 },
    ]);
    const blocked = gate();
    await subject.consume({
      topic,
      async handler(records, context) {
        await context.done(records[2]!.offset);
        await blocked.passed;
      },
    });
    const at = async () => (await subject.other.lag("group", topic))[1];
    await eventually(async () =>
      expect(await at()).toEqual({ partition: 1, committed: 3, end: 7, lag: 4 })
    );
    blocked.open();
    await eventually(async () =>
      expect(await at()).toEqual({ partition: 1, committed: 7, end: 7, lag: 0 })
    );
    expect((await subject.log.lag("another", topic))[1]!.lag).toBe(7);
  },

  async "back-pressure: a slow handler has at most maxRecords in hand, one delivery a partition"(
    subject,
  ) {
    const topic = await subject.topic({ partitions: 2 });
    await subject.publish(topic, range(400).map((i) => ({ partition: i % 2 })));
    const inFlight = new Map<number, number>();
    let max = 0;
    let handled = 0;
    await subject.consume({
      topic,
      maxRecords: 10,
      async handler(records) {
        const { partition } = records[0]!;
        expect(inFlight.get(partition) ?? 0).toBe(0);
        inFlight.set(partition, records.length);
        max = Math.max(max, [...inFlight.values()].reduce((a, b) => a + b));
        await new Promise((r) => setTimeout(r, 5));
        inFlight.set(partition, 0);
        handled += records.length;
      },
    });
    await eventually(() => expect(handled).toBe(400));
    expect(max).toBeLessThanOrEqual(20);
  },

  async "a delivery is bounded by maxBytes, but for one larger record alone"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const sizes = [400, 400, 400, 5_000, 400, 400];
    await subject.publish(topic, sizes.map((size) => ({ value: new Uint8Array(size) })));
    const deliveries: number[][] = [];
    await subject.consume({
      topic,
      maxBytes: 1_000,
      handler: (records) => {
        deliveries.push(records.map((r) => r.value.byteLength));
        return Promise.resolve();
      },
    });
    await eventually(() => expect(deliveries.flat()).toEqual(sizes));
    for (const delivery of deliveries.filter((d) => d.length > 1)) {
      expect(delivery.reduce((a, b) => a + b)).toBeLessThanOrEqual(1_000);
    }
  },

  async "a partition that fails does not hold up the others"(subject) {
    const topic = await subject.topic({ partitions: 3 });
    await subject.publish(topic, [{ partition: 0, text: "bad" }]);
    const seen: string[] = [];
    const worker = await subject.consume({
      topic,
      concurrency: 1,
      handler: (records) => {
        if (text(records[0]!) === "bad") return Promise.reject(new Error("bad"));
        seen.push(...records.map(text));
        return Promise.resolve();
      },
    });
    await eventually(() => expect(worker.health().detail).toContain("0"));
    await subject.publish(topic, [{ partition: 1, text: "b" }, { partition: 2, text: "c" }]);
    await eventually(() => expect(seen.sort()).toEqual(["b", "c"]));
    expect((await subject.log.lag("group", topic))[0]!.lag).toBe(1);
  },

  async "a new group that starts at the latest sees only what comes after it"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    await subject.publish(topic, range(4).map(() => ({ text: "old" })));
    const { worker, received } = await subject.collect({ topic, from: "latest" });
    await eventually(async () => {
      await subject.publish(topic, [{ text: "new" }]);
      expect(received.length).toBeGreaterThan(0);
    });
    expect(new Set(received.map(text))).toEqual(new Set(["new"]));
    await worker.stop();
    const all = await subject.collect({ topic, group: "another" });
    await eventually(() => expect(all.received.map(text)).toContain("old"));
  },
};
