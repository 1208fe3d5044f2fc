import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { maxListedApiece } from "#metadata/catalogue/changes.ts";
import { Config } from "#platform/config/schema.ts";
import {
  following,
  longestWait,
  maxFollowedEntities,
} from "#services/api/features/changes/limits.ts";
import { endings } from "#services/api/features/changes/stream.ts";
import { ChangeEvent } from "#services/api/features/changes/schemas.ts";
import { maxChanges } from "#services/housekeeping/retention.queries.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

const document = readFileSync("docs/integrate/changes.md", "utf8");
const examples = examplesOf(document);

let instance: Instance;
beforeAll(async () => void (instance = await startInstance("embedded")));
afterAll(() => instance?.stop());

it.each(examples.map((e) => [e.title, e] as const))(
  "docs/integrate/changes.md shows what really comes: %s",
  async (_, { command, output }) => {
    expect(await outputOf(command.replaceAll("http://127.0.0.1:8080", instance.url))).toBe(output);
  },
);

/** First columns of its tables. */
const rows = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);

it("has a row for each kind of event, and each end that a client is told of", () => {
  const kinds = ChangeEvent.options.map(({ shape }) => shape.kind.value as string);
  const expected = endings.filter((reason) => !["left", "slow"].includes(reason));
  expect(rows.sort()).toEqual([...kinds, ...expected].sort());
});

it("names the limits as they are", () => {
  const { server } = Config.parse({});
  expect([following.maxWaitMs, following.slowMs, following.recheckMs]).toEqual([
    10_000,
    60_000,
    1_000,
  ]);
  expect([following.heartbeatMs, longestWait]).toEqual([15_000, 3_600]);
  const numbers = [
    `up to ${maxFollowedEntities} assets`,
    `More than ${maxListedApiece} alerts`,
    `${maxChanges.toLocaleString("en")} of them`,
    `${(following.portion * following.portionsBehind).toLocaleString("en")} changes to catch up on`,
    `can have ${server["max-change-streams-per-caller"]} streams`,
    `A process serves ${server["max-change-streams"]} streams`,
  ];
  expect(numbers.filter((text) => !document.includes(text))).toEqual([]);
});
