import { afterAll, beforeAll, expect, it } from "vitest";
import type { Item } from "../compose/item.ts";
import { mergeRecords } from "../merger.ts";
import { deltaOf } from "../state/events.ts";
import { emptyDelta, joinDelta } from "../state/delta.ts";
import type { GivenEvent } from "../state/model.ts";
import { type Harness, harness } from "../testing/harness.ts";
import { composeAll, normal, plainKeys, plainRules, stateOf } from "../testing/memory.ts";
import { seeded } from "#test/support/random.ts";
import { randomEvents, shuffled } from "../testing/random-events.ts";
import { mergeDelta } from "./merge.ts";

// What the tables hold and what is composed of them is held to the pure functions.

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

/** Random sets of events that are merged into the tables. */
const sets = 20;
/** Those that are composed after each chunk, which costs more. */
const composedSets = 8;

/** Names of one set, apart from those of others. */
function renamed(events: GivenEvent[], set: number): GivenEvent[] {
  return JSON.parse(
    JSON.stringify(events).replaceAll('"n"', `"n${set}"`)
      .replaceAll("00000000-0000", `${String(set).padStart(8, "0")}-0000`)
      .replaceAll('"runId":"3"', `"runId":"3-${set}"`),
  );
}

it("the tables hold what the events say, in whatever order and chunks they come", async () => {
  for (let set = 1; set <= sets; set++) {
    const random = seeded(set);
    const events = renamed(randomEvents(random), set);
    for (const chunk of shuffled(random, events)) {
      const delta = emptyDelta();
      for (const event of chunk) joinDelta(delta, deltaOf(event, plainKeys));
      await h.db.transaction((tx) => mergeDelta(tx, delta, { keys: plainKeys, events: new Map() }));
    }
    const [held, told] = [await stored(`//ol/n${set}/`, set), stateOf([events])];
    expect([set, normal(held)]).toEqual([set, normal(told)]);
  }
});

async function stored(prefix: string, set: number) {
  const state = emptyDelta();
  const read = async (table: string, key: string, condition: string) =>
    (await h.rows<{ key: string; state: string }>(
      `SELECT ${key} AS key, state FROM ${table} WHERE ${condition}`,
    )).map(({ key, state }) => [key, JSON.parse(state)] as const);
  const runs = `(key LIKE '${String(set).padStart(8, "0")}-%' OR key LIKE '${prefix}%')`;
  const ofRun = "run_key || E'\\x1f' || side || E'\\x1f' || dataset_key";
  for (const [k, v] of await read("ol_job", "key", `key LIKE '${prefix}%'`)) state.jobs.set(k, v);
  for (const [k, v] of await read("ol_dataset", "key", `key LIKE '${prefix}%'`)) {
    state.datasets.set(k, v);
  }
  for (const [k, v] of await read("ol_run", "key", runs)) state.runs.set(k, v);
  for (const [k, v] of await read("ol_run_io", ofRun, runs.replaceAll("key", "run_key"))) {
    state.io.set(k, v);
  }
  return state;
}

it("what is composed in steps of any size is what is composed of all at once", async () => {
  const posted = new Map<string, Item>();
  const all: GivenEvent[] = [];
  for (let set = 101; set < 101 + composedSets; set++) {
    const random = seeded(set);
    const events = renamed(randomEvents(random), set);
    all.push(...events);
    for (const chunk of shuffled(random, events)) {
      const delta = emptyDelta();
      for (const event of chunk) joinDelta(delta, deltaOf(event, h.parts.keys));
      await h.db.transaction((tx) =>
        mergeDelta(tx, delta, { keys: h.parts.keys, events: new Map() })
      );
      for (const [catrn, item] of await h.compose()) posted.set(catrn, item);
    }
  }
  const rules = { ...plainRules, now: h.clock.at, streamingEdgeTtlMs: 7 * 24 * 3_600_000 };
  const whole = composeAll(stateOf([all], h.parts.keys), rules, h.parts.keys);
  const gone = new Set(
    (await h.rows<{ catrn: string }>("SELECT catrn FROM ol_leaving")).map((r) => r.catrn),
  );
  for (const [catrn, item] of whole) expect([catrn, posted.get(catrn)]).toEqual([catrn, item]);
  const datasets = [...posted.keys()].filter((catrn) => /\/n1\d\d\/datasets\/[^/]*$/.test(catrn));
  expect(datasets.filter((catrn) => !whole.has(catrn) && !gone.has(catrn))).toEqual([]);
});

it("events that are merged again change nothing", async () => {
  const events = renamed(randomEvents(seeded(7)), 900);
  const records = events.map((event, at) => ({
    topic: "openlineage.events",
    partition: 0,
    offset: at,
    key: null,
    headers: { "received-at": String(h.clock.at) },
    timestamp: h.clock.at,
    value: new TextEncoder().encode(JSON.stringify(rawOf(event))),
  }));
  const options = { ...h.parts, registry: undefined as never, merged: () => undefined };
  await mergeRecords(options, records);
  expect((await h.compose()).size).toBeGreaterThan(0);
  await mergeRecords(options, records);
  expect([...(await h.compose()).keys()]).toEqual([]);
});

function rawOf({ kind: _, at, type, ...rest }: GivenEvent) {
  return { eventTime: new Date(at).toISOString(), eventType: type, ...rest };
}
