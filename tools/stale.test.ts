import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { Config } from "#platform/config/schema.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { parseStale, type StaleCommand, staleCommand } from "./stale.ts";

const day = 86_400_000;
const now = Date.parse("2030-06-15T12:00:00.000Z");
const [shop, halted] = ["//collector/shop", "//collector/held"];

let t: TestDatabase;
let old: number;
beforeAll(async () => {
  t = await testDatabase();
  for (const catrn of [shop, halted]) {
    const sourceId = await seedSource(t.db, { catrn });
    const seen = (ago: number) =>
      seedEntity(t.db, { sourceId, lastIngestedAt: new Date(now - ago * day) });
    for (const ago of [1, 7]) await seen(ago);
    const id = await seen(20);
    if (catrn === shop) old = id;
    else await seen(20);
  }
});
afterAll(() => t.drop());

async function run(...args: string[]): Promise<string> {
  let text = "";
  const policy = (source: string) => ({ source, after: "10 d", act: "delete" });
  const stale = { sources: [policy(shop), policy(halted)], fuse: 0, "fuse-min": 1 };
  const config = Config.parse({ housekeeping: { stale } });
  const context = { db: t.db, config, clock: { ...systemClock, now: () => now } };
  const output = { isTTY: false, write: (more: string) => void (text += more) };
  expect(await staleCommand(context, parseStale(args) as StaleCommand, output)).toBe(0);
  return text;
}

describe("npm run stale", () => {
  it("lists what becomes of each source", async () => {
    expect(JSON.parse(await run("list", "--json"))).toMatchObject([
      { source: shop, live: 3, stale: 1, fuse: 1, state: "due", hours: 240, approved: null },
      { source: halted, live: 4, stale: 2, fuse: 1, state: "held", approved: null },
    ]);
    expect(await run("list")).toContain(halted);
  });

  it("shows what would expire, and after an approval what the fuse held", async () => {
    const shown = async () => JSON.parse(await run("dry-run", "--json"));
    expect(await shown()).toMatchObject([{ act: "delete", id: old }]);
    expect(await run("approve", "--source", halted, "--count", "2")).toContain(
      "2 of //collector/held",
    );
    expect(await shown()).toHaveLength(3);
    expect(JSON.parse(await run("list", "--json"))[1]).toMatchObject({ state: "due", approved: 2 });
  });

  it("approves nothing of an unknown source", async () => {
    await expect(run("approve", "--source", "//none", "--count", "1")).rejects.toThrow("//none");
  });

  it.each([
    [[]],
    [["lists"]],
    [["list", "more"]],
    [["approve"]],
    [["approve", "--source", "//x"]],
    [["approve", "--source", "//x", "--count", "0"]],
    [["approve", "--source", "//x", "--count", "1e3"]],
    [["list", "--count", "1"]],
    [["list", "--wrong"]],
  ])("%j is wrong use", (args) => {
    expect(parseStale(args)).toBeNull();
  });
});
