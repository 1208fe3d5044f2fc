import { describe, expect, it, vi } from "vitest";
import { byKey, type RecordHandler, Semaphore } from "#eventlog/keyed-queue.ts";
import type { LogRecord } from "#eventlog/port.ts";

const record = (offset: number, key: string | null): LogRecord => ({
  topic: "t",
  partition: 0,
  offset,
  key,
  value: new Uint8Array(),
  headers: {},
  timestamp: 0,
});

/** A delivery whose records end when the test says so. */
function delivery(keys: (string | null)[], permits = 4) {
  const begun: number[] = [];
  const marked: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<void>>();
  const abort = new AbortController();
  const handle: RecordHandler = ({ offset }) => {
    begun.push(offset);
    const end = Promise.withResolvers<void>();
    ends.set(offset, end);
    return end.promise;
  };
  const context = {
    signal: abort.signal,
    heartbeat: () => Promise.resolve(),
    done: vi.fn((offset: number) => Promise.resolve(void marked.push(offset))),
  };
  const semaphore = new Semaphore(permits);
  const handled = byKey(handle, semaphore)(keys.map((key, at) => record(at, key)), context);
  handled.catch(() => {});
  const end = async (offset: number, error?: unknown) => {
    if (error === undefined) ends.get(offset)!.resolve();
    else ends.get(offset)!.reject(error);
    await new Promise((later) => setTimeout(later));
  };
  const begin = () => new Promise((later) => setTimeout(later));
  return { begun, marked, handled, end, begin, abort, context };
}

describe("inLanes", () => {
  it("works on different keys side by side and keeps the order of one key", async () => {
    const { begun, marked, handled, end, begin } = delivery(["a", "a", "b", null, null]);
    await begin();
    expect(begun).toEqual([0, 2, 3, 4]);
    await end(2);
    await end(3);
    expect(begun).toEqual([0, 2, 3, 4]);
    await end(0);
    expect(begun).toEqual([0, 2, 3, 4, 1]);
    await end(4);
    await end(1);
    await handled;
    expect(marked.at(-1)).toBe(4);
  });

  it("marks a record as done only when all before it are", async () => {
    const { marked, handled, end, begin } = delivery(["a", "b", "c"]);
    await begin();
    await end(1);
    await end(2);
    expect(marked).toEqual([]);
    await end(0);
    expect(marked).toEqual([2]);
    await handled;
  });

  it("has no more in flight than it may, over all deliveries", async () => {
    const { begun, end, begin, handled } = delivery(["a", "b", "c", "d"], 2);
    await begin();
    expect(begun).toEqual([0, 1]);
    await end(1);
    expect(begun).toEqual([0, 1, 2]);
    for (const offset of [0, 2, 3]) await end(offset);
    await handled;
  });

  it("begins nothing after a failure, and throws it when the others have ended", async () => {
    const { begun, marked, handled, end, begin } = delivery(["a", "b", "c", "a"], 2);
    const failure = new Error("broken");
    await begin();
    await end(1, failure);
    await end(0);
    await expect(handled).rejects.toBe(failure);
    expect(begun).toEqual([0, 1]);
    expect(marked).toEqual([0]);
  });

  it("throws when a record cannot be marked, after what is in flight", async () => {
    const { begun, handled, end, begin, context } = delivery(["a", "b", "a"]);
    context.done.mockRejectedValueOnce(new Error("lost"));
    await begin();
    await end(0);
    await end(1);
    if (begun.includes(2)) await end(2);
    await expect(handled).rejects.toThrow("lost");
  });

  it("begins nothing once the partition is taken away", async () => {
    const { begun, handled, end, begin, abort } = delivery(["a", "a"]);
    await begin();
    abort.abort();
    await end(0);
    await expect(handled).rejects.toThrow("taken away");
    expect(begun).toEqual([0]);
  });
});
