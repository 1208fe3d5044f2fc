import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestionBatches, topics } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { EventLog } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { deadLettersCommand, parseDeadLetters } from "./dead-letters.ts";
import { groups, lagOf } from "#platform/ops/lag.ts";
import { parseLag } from "./lag.ts";

let test: TestDatabase;
let events: EventLog;
beforeAll(async () => {
  test = await testDatabase();
  events = openLog({ engine: "postgres", url: test.url, sessionMs: 5_000 });
  await events.ensureTopics(topics(1));
  const record = { key: "//a", value: new TextEncoder().encode("{"), headers: {} };
  await events.publish(ingestionBatches, [record, record], { timeoutMs: 10_000 });
  const [stored] = await events.read(ingestionBatches, { partition: 0, from: 0, limit: 1 });
  const rejected = { topic: ingestionBatches, record: stored!, message: "not\nJSON", details: [] };
  const box = { events, log: silentLogger, metrics: noMetrics };
  await deadLetter(box, { ...rejected, reason: "malformed" });
  await deadLetter(box, { ...rejected, reason: "other" });
});
afterAll(async () => {
  await events.close();
  await test.drop();
});

async function run(...args: string[]): Promise<string> {
  const written: string[] = [];
  const output = { isTTY: false, write: (text: string) => void written.push(text) };
  const store = { events, db: test.db };
  expect(await deadLettersCommand(store, parseDeadLetters(args)!, output)).toBe(0);
  return written.join("");
}

describe("deadLettersCommand", () => {
  it("lists one line a letter, or JSON", async () => {
    const lines = (await run("list")).trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^0-0 +malformed +not JSON +ingestion\.batches\/0\/0 +\/\/a +1 /);
    expect(JSON.parse(await run("list", "--reason", "other", "--json"))).toMatchObject([{
      id: "0-1",
    }]);
  });

  it("replays and drops what was selected", async () => {
    expect(await run("replay", "--reason", "malformed")).toBe("Replayed 1.\n");
    expect(await run("drop", "--id", "0-1", "--json")).toBe('{"dropped":1}\n');
    expect(await run("list")).toBe("No dead letters.\n");
  });
});

describe("parseDeadLetters", () => {
  it.each([
    [],
    ["unknown"],
    ["replay"],
    ["drop"],
    ["replay", "--all", "--reason", "a"],
    ["list", "--limit", "0"],
    ["list", "more"],
    ["list", "--colour"],
  ])("refuses %j", (...args: string[]) => expect(parseDeadLetters(args)).toBeNull());
});

describe("lagOf", () => {
  it("tells the lag of every group of the release", async () => {
    const rows = await lagOf(events, groups);
    expect(new Set(rows.map(({ group, topic }) => `${group} ${topic}`)))
      .toEqual(new Set(groups.map(({ group, topic }) => `${group} ${topic}`)));
    const batches = rows.filter(({ topic }) => topic === ingestionBatches);
    expect(batches.reduce((sum, { lag }) => sum + lag, 0)).toBeGreaterThanOrEqual(2);
  });

  it("wants group and topic together", () => {
    expect(parseLag(["--group", "a"])).toBeNull();
    expect(parseLag(["--what"])).toBeNull();
    expect(parseLag(["--group", "a", "--topic", "b", "--json"]))
      .toEqual({ groups: [{ group: "a", topic: "b" }], json: true });
  });
});
