import { expect, it, vi } from "vitest";
import { StatementLimiter } from "#metadata/postgres/statement-limiter.ts";

function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, { answer: () => void; fail: () => void }>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, { answer: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  const settled = () => new Promise((done) => setTimeout(done));
  return { begun, ends, work, settled };
}

it("lets so many of one statement run at once, and the others in the order in which they came", async () => {
  const { begun, ends, work, settled } = heldWork();
  const limiter = new StatementLimiter({ atOnce: 2, waitMs: 60_000 });
  const names = ["a", "b", "c", "d"];
  const all = Promise.allSettled(names.map((name) => limiter.run("SELECT 1", work(name))));
  await settled();
  expect([begun, limiter.waiting]).toEqual([["a", "b"], 2]);
  ends.get("b")!.answer();
  await settled();
  expect([begun, limiter.waiting]).toEqual([["a", "b", "c"], 1]);
  ends.get("a")!.fail();
  await settled();
  expect([begun, limiter.waiting]).toEqual([names, 0]);
  for (const name of ["c", "d"]) ends.get(name)!.answer();
  expect((await all).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});

it("statements do not wait for one another", async () => {
  const { begun, ends, work, settled } = heldWork();
  const limiter = new StatementLimiter({ atOnce: 1, waitMs: 60_000 });
  const all = ["SELECT 1", "SELECT 2"].map((text) => limiter.run(text, work(text)));
  await settled();
  expect(begun).toEqual(["SELECT 1", "SELECT 2"]);
  for (const { answer } of ends.values()) answer();
  expect(await Promise.all(all)).toEqual(["SELECT 1", "SELECT 2"]);
});

it("nobody waits longer than the limit, and who comes after them waits in turn again", async () => {
  vi.useFakeTimers();
  try {
    const { begun, ends, work } = heldWork();
    const limiter = new StatementLimiter({ atOnce: 1, waitMs: 1_000 });
    const hangs = limiter.run("SELECT 1", work("hangs"));
    const late = limiter.run("SELECT 1", work("late"));
    await vi.advanceTimersByTimeAsync(999);
    expect(begun).toEqual(["hangs"]);
    await vi.advanceTimersByTimeAsync(1);
    expect([begun, limiter.waiting]).toEqual([["hangs", "late"], 0]);
    const last = limiter.run("SELECT 1", work("last"));
    ends.get("late")!.answer();
    expect(await late).toBe("late");
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["hangs", "late"]);
    ends.get("hangs")!.answer();
    expect(await hangs).toBe("hangs");
    await vi.advanceTimersByTimeAsync(0);
    ends.get("last")!.answer();
    expect(await last).toBe("last");
  } finally {
    vi.useRealTimers();
  }
});
