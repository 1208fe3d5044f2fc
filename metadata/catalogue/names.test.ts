import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureAllNamed, ensureNamed } from "#metadata/catalogue/names.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const ensured = (...names: string[]) => t.db.transaction((tx) => ensureAllNamed(tx, "tag", names));

describe("ensureAllNamed", () => {
  it("finds what is there and makes what is missing, each once", async () => {
    const first = await ensured("a", "b", "a");
    expect([...first.keys()].sort()).toEqual(["a", "b"]);
    const second = await ensured("b", "c");
    expect(second.get("b")).toBe(first.get("b"));
    expect(await ensured()).toEqual(new Map());
  });

  it("two at once, in any order, agree on the ids", async () => {
    const names = Array.from({ length: 50 }, (_, n) => `once ${n}`);
    const [one, other] = await Promise.all([ensured(...names), ensured(...names.toReversed())]);
    expect(new Map([...one].sort())).toEqual(new Map([...other].sort()));
  });

  it("what it returns cannot be deleted until the transaction ends", async () => {
    const steps: string[] = [];
    const id = await t.db.transaction(async (tx) => {
      const id = (await ensureAllNamed(tx, "tag", ["a"])).get("a")!;
      await expect(t.db.query("SELECT FROM tag WHERE id = $1 FOR UPDATE NOWAIT", [id]))
        .rejects.toThrow(/lock/);
      steps.push("held");
      return id;
    });
    await t.db.query("SELECT FROM tag WHERE id = $1 FOR UPDATE NOWAIT", [id]);
    expect(steps).toEqual(["held"]);
  });
});

it("ensureNamed: null for no name", async () => {
  const ids = await t.db.transaction(async (tx) => [
    await ensureNamed(tx, "owner", null),
    await ensureNamed(tx, "owner", "ann"),
    await ensureNamed(tx, "owner", "ann"),
  ]);
  expect(ids).toEqual([null, ids[1], ids[1]]);
  expect(ids[1]).toBeGreaterThan(0);
});
