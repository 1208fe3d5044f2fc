import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "#metadata/postgres/database.ts";
import { EventMerger, readEvent } from "./merger.ts";
import { type Harness, harness } from "./testing/harness.ts";
import { recordFor } from "./testing/harness.ts";
import { ns, run } from "./testing/catalogue.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

/** Merges over a database whose nth transactions fail; tells how many were tried. */
function mergerWith(failing: number[] = []) {
  const tried = { transactions: 0 };
  const db = Object.assign(Object.create(h.db) as Database, {
    transaction: (work: Parameters<Database["transaction"]>[0]) => {
      if (failing.includes(++tried.transactions)) throw new Error("refused");
      return h.db.transaction(work);
    },
  });
  return { tried, merger: new EventMerger({ ...h.deps, db, merged: () => undefined }) };
}

const eventOf = (namespace: string, name: string) =>
  readEvent(recordFor(run(namespace, "START", { name }), h.clock.at), h.clock.at);

const jobsOf = async (namespace: string) =>
  (await h.rows<{ name: string }>("SELECT name FROM ol_job WHERE namespace = $1", namespace))
    .map(({ name }) => name).sort();

it("what partitions deliver while something is merged is merged together", async () => {
  const namespace = ns();
  const { merger, tried } = mergerWith();
  const names = ["a", "b", "c", "d", "e"];
  await Promise.all(names.map((name) => merger.merge([eventOf(namespace, name)])));
  expect(tried.transactions).toBe(2);
  expect(await jobsOf(namespace)).toEqual(names);
});

it("what cannot be merged costs others nothing", async () => {
  const namespace = ns();
  // The first goes alone; then two together, which fail, then each of them, of which the first fails again.
  const { merger, tried } = mergerWith([2, 3]);
  const names = ["a", "b", "c"];
  const ended = await Promise.allSettled(
    names.map((name) => merger.merge([eventOf(namespace, name)])),
  );
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(tried.transactions).toBe(4);
  expect(await jobsOf(namespace)).toEqual(["a", "c"]);
});
