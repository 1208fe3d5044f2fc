import { afterAll, beforeAll, expect, it } from "vitest";
import type { Item } from "../mapper/item.ts";
import { EventMerger, mergeRecords } from "../merger.ts";
import { deltaOf } from "../state/events.ts";
import { emptyDelta, joinDelta, maxCounted } from "../state/states.ts";
import type { InputEvent } from "../state/model.ts";
import { jobOf, ns, run } from "../testing/catalogue.ts";
import { storedState } from "../testing/stored.ts";
import { type Harness, harness } from "../testing/harness.ts";
import { mapAll, normal, plainKeys, plainRules, stateOf } from "../testing/memory.ts";
import { seeded } from "#test/support/random.ts";
import { randomEvents, rawOf, renamed, shuffled } from "../testing/random-events.ts";
import { mergeDelta } from "./merge.ts";

// What is in the tables and what it is mapped to is compared with what the pure functions return.

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

/** Random sets of events that are merged into the tables. */
const sets = 20;
/** Those that are mapped after each chunk, which costs more. */
const mappedSets = 8;

it("the tables hold what the events say, in whatever order and chunks they come", async () => {
  for (let set = 1; set <= sets; set++) {
    const random = seeded(set);
    const events = renamed(randomEvents(random), set);
    for (const chunk of shuffled(random, events)) {
      const delta = emptyDelta();
      for (const event of chunk) joinDelta(delta, deltaOf(event, plainKeys));
      await h.db.transaction((tx) => mergeDelta(tx, delta, plainKeys));
    }
    const [actual, expected] = [await stored(`//ol/n${set}/`, set), stateOf([events])];
    expect([set, normal(actual)]).toEqual([set, normal(expected)]);
  }
});

function stored(prefix: string, set: number) {
  const names = `key LIKE '${prefix}%'`;
  const runs = `(key LIKE '${String(set).padStart(8, "0")}-%' OR ${names})`;
  return storedState((text) => h.rows(text), { names, runs });
}

it("what is mapped in steps of any size is what is mapped of all at once", async () => {
  const posted = new Map<string, Item>();
  const all: InputEvent[] = [];
  for (let set = 101; set < 101 + mappedSets; set++) {
    const random = seeded(set);
    const events = renamed(randomEvents(random), set);
    all.push(...events);
    for (const chunk of shuffled(random, events)) {
      const delta = emptyDelta();
      for (const event of chunk) joinDelta(delta, deltaOf(event, h.deps.keys));
      await h.db.transaction((tx) => mergeDelta(tx, delta, h.deps.keys));
      for (const [catrn, item] of await h.publish()) posted.set(catrn, item);
    }
  }
  const rules = { ...plainRules, now: h.clock.at, streamingEdgeTtlMs: 7 * 24 * 3_600_000 };
  const whole = mapAll(stateOf([all], h.deps.keys), rules, h.deps.keys);
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
  const options = { ...h.deps, registry: undefined as never, merged: () => undefined };
  await mergeRecords(options, new EventMerger(options), records);
  expect((await h.publish()).size).toBeGreaterThan(0);
  await mergeRecords(options, new EventMerger(options), records);
  expect([...(await h.publish()).keys()]).toEqual([]);
});

it("events of a run are counted once, however often and in whatever chunks they come", async () => {
  const namespace = ns();
  const events = (n: number) =>
    Array.from(
      { length: n },
      (_, second) =>
        run(namespace, "RUNNING", {
          eventTime: new Date(h.clock.at - second * 1_000).toISOString(),
        }),
    );
  const counted = async () =>
    (await h.rows<{ events: number }>(
      "SELECT events FROM ol_run WHERE job_key = $1",
      jobOf(namespace),
    ))
      .map((row) => row.events);
  await h.merge(...events(3));
  await h.merge(...events(4), ...events(2));
  await h.merge(...events(3));
  expect(await counted()).toEqual([4]);
  await h.merge(...events(maxCounted + 20));
  expect(await counted()).toEqual([maxCounted]);
});
