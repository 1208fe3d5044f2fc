import { expect, it } from "vitest";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, Write } from "../change-set.ts";
import { writeAll } from "./all.ts";

/** Writes that end when the test says so, and what was begun. */
function storedEntities(count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, at): Write => () => {
    begun.push(at);
    return promise;
  });
  return { begun, ends, all };
}

const settle = () => new Promise((later) => setTimeout(later));
const write = (all: Write[]) => writeAll({} as Transaction, {} as ChangeSet, all);

it("begins each write while the one before it is at work, and no further one", async () => {
  const { begun, ends, all } = storedEntities(4);
  let done = false;
  const writing = write(all).then(() => done = true);
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[1]!.resolve();
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[0]!.resolve();
  await settle();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]!.resolve();
  await settle();
  expect(done).toBe(false);
  ends[3]!.resolve();
  await writing;
});

it("rejects when a write fails, but not before the one that was begun has ended", async () => {
  const { begun, ends, all } = storedEntities(4);
  let failed: unknown;
  const writing = write(all).catch((error) => failed = error);
  ends[0]!.reject(new Error("first"));
  await settle();
  expect([begun, failed]).toEqual([[0, 1], undefined]);
  ends[1]!.reject(new Error("second"));
  await writing;
  expect([begun, (failed as Error).message]).toEqual([[0, 1], "first"]);
});

it("a write that waits for the one before it fails with it", async () => {
  const begun: string[] = [];
  const failing: Write = () => Promise.reject(new Error("first"));
  const waiting: Write = async (_tx, _set, before) => {
    await before;
    begun.push("waiting");
  };
  await expect(write([failing, waiting])).rejects.toThrow("first");
  expect(begun).toEqual([]);
});
