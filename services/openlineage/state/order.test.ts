import { expect, it } from "vitest";
import process from "node:process";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { hour, mapAll, normal, plainRules, stateOf } from "../testing/memory.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";
import { randomEvents, shuffled } from "../testing/random-events.ts";

/** Sets of events that are tried; a command may ask for more. */
const sets = Number(process.env.OPENLINEAGE_SETS ?? sized(5_000, 50_000));
const ordersOfEach = 2;

it("the state, and what it is mapped to, depend on the set of events alone", () => {
  for (let seed = 1; seed <= sets; seed++) {
    const random = seeded(seed);
    const events = randomEvents(random);
    const rules = { ...plainRules, now: random() < 0.5 ? 20_000 : 30 * hour };
    const state = stateOf([events]);
    const [stateText, items] = [JSON.stringify(normal(state)), textOf(mapAll(state, rules))];
    for (let order = 0; order < ordersOfEach; order++) {
      const other = stateOf(shuffled(random, events));
      if (JSON.stringify(normal(other)) !== stateText) {
        expect([seed, normal(other)]).toEqual([seed, normal(state)]);
      }
      const mapped = textOf(mapAll(other, rules));
      if (mapped !== items) expect([seed, mapped]).toEqual([seed, items]);
    }
  }
  expect(sets).toBeGreaterThanOrEqual(5_000);
});

it("whatever is mapped is an item that ingestion takes", () => {
  let seen = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const state = stateOf([randomEvents(seeded(seed))]);
    for (const item of mapAll(state, { ...plainRules, now: 20_000 }).values()) {
      const parsed = DataEntity.safeParse(item);
      expect([item.catrn, parsed.error?.issues]).toEqual([item.catrn, undefined]);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(1_000);
});

function textOf(items: Map<string, unknown>): string {
  return JSON.stringify([...items].sort(([a], [b]) => a < b ? -1 : 1));
}
