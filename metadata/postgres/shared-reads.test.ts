import { expect, it, vi } from "vitest";
import type { Queryable } from "#metadata/postgres/statement.ts";
import { maxWaiting, SharedReads } from "#metadata/postgres/shared-reads.ts";

/** A store whose executions end when they are told to; each answers with its number. */
function blockedStore() {
  const ends: { answer: () => void; fail: () => void }[] = [];
  const db: Queryable = {
    query: <R>() =>
      new Promise<R[]>((resolve, reject) => {
        const number = ends.length;
        ends.push({
          answer: () => resolve([number as R]),
          fail: () => reject(new Error(`execution ${number}`)),
        });
      }),
  };
  const settled = () => new Promise((done) => setTimeout(done));
  return { ends, settled, reads: new SharedReads(db) };
}

it("lets all who ask while one runs share the next, which begins after they asked", async () => {
  const { ends, settled, reads } = blockedStore();
  const first = reads.query("SELECT 1", ["a"]);
  const others = [reads.query("SELECT 1", ["a"]), reads.query("SELECT 1", ["a"])];
  expect(ends).toHaveLength(1);
  ends[0]!.answer();
  await settled();
  expect(ends).toHaveLength(2);
  const late = reads.query("SELECT 1", ["a"]);
  ends[1]!.answer();
  await settled();
  ends[2]!.answer();
  expect(await Promise.all([first, ...others, late])).toEqual([[0], [1], [1], [2]]);
  expect(reads.takeCounts()).toEqual({ requested: 4, executed: 3 });
  expect(reads.takeCounts()).toEqual({ requested: 0, executed: 0 });
});

it("tells statements and values apart, and keeps nothing once nobody waits", async () => {
  const { ends, settled, reads } = blockedStore();
  const all = [
    reads.query("SELECT 1", ["a"]),
    reads.query("SELECT 1", ["b"]),
    reads.query("SELECT 2", ["a"]),
    reads.query("SELECT 1"),
    reads.query("SELECT 1", [null]),
  ];
  expect(ends).toHaveLength(5);
  for (const { answer } of ends) answer();
  expect(await Promise.all(all)).toEqual([[0], [1], [2], [3], [4]]);
  await settled();
  const repeated = reads.query("SELECT 1", ["a"]);
  expect(ends).toHaveLength(6);
  ends[5]!.answer();
  expect(await repeated).toEqual([5]);
});

it("a failure is told to those of its execution only", async () => {
  const { ends, settled, reads } = blockedStore();
  const first = reads.query("SELECT 1");
  const second = reads.query("SELECT 1");
  ends[0]!.fail();
  await expect(first).rejects.toThrow("execution 0");
  await settled();
  ends[1]!.answer();
  expect(await second).toEqual([1]);
});

it("nobody waits long for an execution that began before they asked", async () => {
  vi.useFakeTimers();
  try {
    const { ends, reads } = blockedStore();
    const hangs = reads.query("SELECT 1");
    const others = [reads.query("SELECT 1"), reads.query("SELECT 1")];
    await vi.advanceTimersByTimeAsync(maxWaiting - 1);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
    ends[1]!.answer();
    expect(await Promise.all(others)).toEqual([[1], [1]]);
    const later = reads.query("SELECT 1");
    ends[2]!.answer();
    ends[0]!.answer();
    expect([await later, await hangs]).toEqual([[2], [0]]);
  } finally {
    vi.useRealTimers();
  }
});
