import { expect } from "vitest";
import { byKey, Semaphore } from "#eventlog/keyed-queue.ts";
import type { BatchHandler } from "#eventlog/port.ts";
import { type Clauses, range, type Subject, text } from "#test/conformance/eventlog/subject.ts";
import { eventually } from "#test/support/eventually.ts";

/** A handler that lets records join, each of which ends when the clause says so. */
function blockingHandler(permits = 100) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const handler: BatchHandler = byKey(async (record) => {
    const end = Promise.withResolvers<void>();
    ends.set(text(record), end);
    begun.push(text(record));
    await end.promise;
  }, new Semaphore(permits));
  const end = (name: string) => ends.get(name)!.resolve();
  const fail = (name: string) => ends.get(name)!.reject(new Error(`${name} fails`));
  const come = (...names: string[]) => eventually(() => expect(begun).toEqual(names));
  return { begun, handler, end, fail, come };
}

const keyed = (...names: string[]) => names.map((name) => ({ key: name[0]!, text: name }));

const committed = async (subject: Subject, topic: string) =>
  (await subject.log.lag("group", topic))[0]!.committed;

/** What a consumer is promised whose handler lets records join those that it has in flight. */
export const joinClauses: Clauses = {
  async "records that come while others of their partition are at work join them"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const { handler, end, come } = blockingHandler();
    await subject.consume({ topic, handler });
    await subject.publish(topic, keyed("a1"));
    await come("a1");
    await subject.publish(topic, keyed("b1", "a2"));
    await come("a1", "b1");
    end("b1");
    await subject.publish(topic, keyed("c1"));
    await come("a1", "b1", "c1");
    expect(await committed(subject, topic)).toBe(0);
    end("a1");
    await come("a1", "b1", "c1", "a2");
    await eventually(async () => expect(await committed(subject, topic)).toBe(2));
    end("c1");
    end("a2");
    await eventually(async () => expect(await committed(subject, topic)).toBe(4));
  },

  async "after a failure all come again from the first that is not done, in order"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const { begun, handler, end, fail, come } = blockingHandler();
    await subject.consume({ topic, handler });
    await subject.publish(topic, keyed("a1"));
    await come("a1");
    await subject.publish(topic, keyed("b1", "c1"));
    await come("a1", "b1", "c1");
    end("b1");
    fail("a1");
    end("c1");
    await subject.publish(topic, keyed("d1"));
    await eventually(() => expect(begun.slice(3).sort()).toEqual(["a1", "b1", "c1", "d1"]));
    expect(await committed(subject, topic)).toBe(0);
    for (const name of ["a1", "b1", "c1", "d1"]) end(name);
    await eventually(async () => expect(await committed(subject, topic)).toBe(4));
    expect(begun).toHaveLength(7);
  },

  async "a stop counts as done what had joined and is finished, and leaves the rest"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const { handler, end, come } = blockingHandler(2);
    const worker = await subject.consume({ topic, handler });
    await subject.publish(topic, keyed("a1"));
    await come("a1");
    await subject.publish(topic, keyed("b1", "c1"));
    await come("a1", "b1");
    const stopping = worker.stop();
    end("a1");
    end("b1");
    await stopping;
    expect(await committed(subject, topic)).toBe(2);
    const next = await subject.collect({ topic });
    await eventually(() => expect(next.received.map(text)).toEqual(["c1"]));
  },

  async "back-pressure: what joins is bounded"(subject) {
    const topic = await subject.topic({ partitions: 1 });
    const { begun, handler, end } = blockingHandler();
    await subject.consume({ topic, maxRecords: 5, handler });
    const names = range(60).map((i) => `${String.fromCharCode(65 + i)}1`);
    await subject.publish(topic, keyed(...names.slice(0, 1)));
    await eventually(() => expect(begun).toHaveLength(1));
    await subject.publish(topic, keyed(...names.slice(1)));
    for (let ended = 0; ended < names.length;) {
      await eventually(() => expect(begun.length).toBeGreaterThan(ended));
      expect(begun.length - ended).toBeLessThan(10);
      for (; ended < begun.length; ended++) end(begun[ended]!);
    }
    await eventually(async () => expect(await committed(subject, topic)).toBe(60));
    expect(begun).toEqual(names);
  },

  async "a second member takes partitions over, and nothing is skipped"(subject) {
    const topic = await subject.topic({ partitions: 2 });
    const handled: string[] = [];
    const handler = byKey((record) => {
      handled.push(text(record));
      return new Promise((done) => setTimeout(done, 5));
    }, new Semaphore(4));
    const names = range(300).map((i) => `${i % 10}.${i}`);
    const publish = (from: number, to: number) =>
      subject.publish(
        topic,
        range(to - from).map((i) => ({
          text: names[from + i]!,
          key: String(i % 10),
          partition: (from + i) % 2,
        })),
      );
    await subject.consume({ topic, handler });
    await publish(0, 100);
    await eventually(() => expect(handled.length).toBeGreaterThan(10));
    await subject.consume({ topic, handler }, subject.other);
    await publish(100, 200);
    await eventually(() => expect(new Set(handled).size).toBeGreaterThanOrEqual(150));
    await publish(200, 300);
    await eventually(async () => {
      const lag = await subject.log.lag("group", topic);
      expect(lag.map((each) => each.lag)).toEqual([0, 0]);
    });
    expect([...new Set(handled)].sort()).toEqual([...names].sort());
  },
};
