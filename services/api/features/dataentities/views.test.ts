import { setImmediate } from "node:timers";
import { expect, test } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { ViewCounter } from "#services/api/features/dataentities/service.ts";

/** A counter whose statements finish when the test says so. */
function counterOf(limit?: number) {
  const statements: [number, number][][] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const query = (_: string, [ids, counts]: [number[], number[]]) => {
    statements.push(ids.map((id, i) => [id, counts[i]!]));
    return new Promise<void>((resolve, reject) => void ends.push({ resolve, reject }));
  };
  const db = { query } as unknown as Database;
  let lost = 0;
  const counter = { inc: (_: unknown, n = 1) => void (lost += n) };
  const metrics = { ...noMetrics, counter: () => counter };
  const views = new ViewCounter({ db, log: silentLogger, metrics }, limit);
  return { views, statements, ends, lost: () => lost };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("ViewCounter sends one statement at a time, and what waits with the next", async () => {
  const { views, statements, ends } = counterOf();
  views.record(1);
  for (const id of [2, 3, 2]) views.record(id);
  await turn();
  expect(statements).toEqual([[[1, 1]]]);
  ends[0]!.resolve();
  await turn();
  expect(statements[1]).toEqual([[2, 2], [3, 1]]);
  ends[1]!.resolve();
  await views.settled();
  expect(statements).toHaveLength(2);
});

test("ViewCounter counts what is lost when a statement fails, and goes on", async () => {
  const { views, statements, ends, lost } = counterOf();
  views.record(1);
  ends[0]!.reject(new Error("gone"));
  await views.settled();
  expect(lost()).toBe(1);
  views.record(2);
  ends[1]!.resolve();
  await views.settled();
  expect(statements[1]).toEqual([[2, 1]]);
});

test("ViewCounter holds no more entities than its limit; known ones still count", async () => {
  const { views, statements, ends, lost } = counterOf(2);
  views.record(1);
  for (const id of [2, 3, 4, 3]) views.record(id);
  expect(lost()).toBe(1);
  ends[0]!.resolve();
  await turn();
  expect(statements[1]).toEqual([[2, 1], [3, 2]]);
  ends[1]!.resolve();
  await views.settled();
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  "ViewCounter counts a view that comes %i steps after the last statement ended",
  async (steps) => {
    const { views, statements, ends } = counterOf();
    views.record(1);
    ends[0]!.resolve();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    views.record(1);
    await turn();
    expect(statements).toEqual([[[1, 1]], [[1, 1]]]);
  },
);
