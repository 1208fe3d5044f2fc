import { describe, expect, it } from "vitest";
import {
  changesUnderTest,
  entitiesOf,
  quick,
} from "#services/api/features/changes/testing/harness.ts";
import { eventually } from "#test/support/eventually.ts";
import { EventReader } from "#test/support/http/events.ts";

const t = changesUnderTest();
const place = /^\d+-\d+$/;

/** A place from which everything that comes now is new. */
async function placeNow(): Promise<string> {
  const response = await t.replica().send("/api/changes?wait=0");
  const reader = new EventReader(response);
  await reader.end();
  return reader.lastId;
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe("a client that comes back", () => {
  it("goes on after the last event that it was told, from memory", async () => {
    const replica = t.replica();
    const other = await replica.follow("?types=activity");
    const first = await replica.follow("?types=activity");
    await eventually(() => expect(first.lastId).toMatch(place));
    await t.happens(1, 2);
    await first.some(2);
    await first.leave();
    await t.happens(3, 4);
    await other.some(4);
    const repeated = await replica.follow("?types=activity", first.events[0]!.id);
    await repeated.some(3);
    expect(entitiesOf(repeated)).toEqual([2, 3, 4]);
  });

  it("goes on from the table, piece by piece, when it was away for longer than memory reaches", async () => {
    const from = await placeNow();
    const ids = numbers(100, 90);
    for (const id of ids) await t.happens(id);
    const replica = t.replica({ following: { ...quick, buffered: 10, page: 7, portion: 4 } });
    const client = await replica.follow("?types=activity", from);
    const tooFar = await client.some(1, "reset");
    expect(tooFar).toHaveLength(1);
    const patient = t.replica({
      following: { ...quick, buffered: 10, page: 7, portion: 4, portionsBehind: 100 },
    });
    const whole = await patient.follow("?types=activity", from);
    await whole.some(90);
    await t.happens(500);
    await whole.some(91);
    expect(entitiesOf(whole)).toEqual([...ids, 500]);
  });

  it("goes on at another process, though that has read less", async () => {
    const slow = t.replica({ following: { ...quick, pollMs: 60_000 } });
    const waiting = await slow.follow("?types=activity");
    await eventually(() => expect(waiting.lastId).toMatch(place));
    await t.happens(600);
    const ahead = await placeNow();
    const client = await slow.follow("?types=activity", ahead);
    await eventually(() => expect(client.lastId).toBe(ahead));
    expect(client.events).toEqual([]);
  });

  it("may name the last event id in the query; the header Last-Event-ID outranks it", async () => {
    const from = await placeNow();
    await t.happens(701);
    const between = await placeNow();
    await t.happens(702);
    const replica = t.replica();
    const one = await replica.follow(`?types=activity&last_event_id=${from}`);
    await one.some(2);
    const other = await replica.follow(`?types=activity&last_event_id=${from}`, between);
    await other.some(1);
    expect([entitiesOf(one), entitiesOf(other)]).toEqual([[701, 702], [702]]);
  });
});

describe("a client whose place is not known", () => {
  it("is told to read everything again when what follows it is gone, and of what comes then", async () => {
    const from = await placeNow();
    await t.happens(1, 2, 3, 4, 5);
    const known = await placeNow();
    expect(await t.trim(2)).toBeGreaterThan(0);
    expect(await t.trim(2)).toBe(0);
    const replica = t.replica();
    const late = await replica.follow("?types=activity", from);
    expect((await late.some(1)).map(({ kind, data }) => [kind, data.kind])).toEqual([[
      "reset",
      "reset",
    ]]);
    const inTime = await replica.follow("?types=activity", known);
    await t.happens(6);
    await Promise.all([inTime.some(1), late.some(2)]);
    expect([entitiesOf(inTime), entitiesOf(late)]).toEqual([[6], [6]]);
  });

  it("keeps its place however long nothing happens", async () => {
    const known = await placeNow();
    await t.db.query("UPDATE change SET occurred_at = now() - interval '2 hours'");
    while (await t.trim(100_000) > 0);
    expect(await t.db.query("SELECT 1 FROM change")).toHaveLength(1);
    const client = await t.replica().follow("?types=activity", known);
    await t.happens(8);
    await client.some(1);
    expect(client.events.map(({ kind }) => kind)).toEqual(["activity"]);
  });

  it.each([
    ["none", ""],
    ["words", "abc"],
    ["SQL", "1-1'; DROP TABLE change; --"],
    ["a number", "17"],
    ["negative numbers", "-1--1"],
    ["numbers beyond 64 bits", "99999999999999999999-1"],
    ["the largest of 63 bits", "9223372036854775807-1"],
    ["numbers beyond those that are exact", "1-9999999999999999"],
    ["a place of the future", "999999999999-1"],
    ["digits of another script", "١-٢"],
    ["very long", "1".repeat(50_000)],
  ])("is told to read everything again: %s", async (_, last) => {
    const query = `?types=activity&last_event_id=${encodeURIComponent(last)}`;
    const client = last.length < 3_000
      ? await t.replica().follow(query)
      : await t.replica().follow("?types=activity", last);
    await eventually(() => expect(client.lastId).toMatch(place));
    await t.happens(9);
    await client.some(1, "activity");
    expect(client.events.map(({ kind }) => kind)).toEqual(["reset", "activity"]);
    const once = new EventReader(
      await t.replica().send(`/api/changes?types=activity&wait=0`, {
        "last-event-id": encodeURI(last),
      }),
    );
    await once.end();
    expect(once.events.map(({ kind }) => kind)).toEqual(["reset"]);
    expect(await t.db.query("SELECT 1 FROM change LIMIT 1")).toHaveLength(1);
  });

  it("is told to read everything again when its id is from another server, of which this database is a copy", async () => {
    await t.db.query(`INSERT INTO change (xid, kind) VALUES ('900000000000', 'activity')`);
    const client = await t.replica().follow("?types=activity", "900000000000-1");
    await client.some(1, "reset");
    await t.happens(10);
    await client.some(1, "activity");
    expect(await t.trim(100_000)).toBe(1);
  });
});

describe("whoever does not want to wait", () => {
  it("is told of what there is, with the place from which to ask again", async () => {
    const replica = t.replica();
    const ask = async (last?: string) => {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
      const reader = new EventReader(await replica.send("/api/changes?types=activity", headers));
      expect(await reader.end()).toBe("ended");
      return reader;
    };
    const begun = await ask();
    expect(begun.events).toEqual([]);
    await t.happens(801, 802);
    const some = await ask(begun.lastId);
    expect(entitiesOf(some)).toEqual([801, 802]);
    await t.happens(803);
    expect(entitiesOf(await ask(some.lastId))).toEqual([803]);
  });

  it("is told of the position of the lineage, unless the graph is down", async () => {
    const received = async (replica = t.replica()) => {
      const reader = new EventReader(await replica.send("/api/changes?wait=0"));
      await reader.end();
      return reader.events.map(({ kind, data }) => [kind, typeof data.position]);
    };
    expect(await received()).toEqual([["projection", "number"]]);
    const down = { position: () => Promise.reject(new Error("down")) };
    expect(await received(t.replica({}, { graph: down as never }))).toEqual([]);
  });

  it("waits as long as it says", async () => {
    const client = await t.replica().follow("?wait=1");
    expect(await client.end()).toBe("ended");
    expect(client.comments).toContain("ended: time");
  });

  it.each(["wait=-1", "wait=3601", "types=all", `entity_id=${numbers(1, 101)}`, "entity_id=x"])(
    "is answered 400 for impossible parameters: %s",
    async (query) => {
      expect((await t.replica().send(`/api/changes?${query}`)).status).toBe(400);
    },
  );
});
