import { describe, expect, it } from "vitest";
import { ChangeEvent } from "#services/api/features/changes/schemas.ts";
import {
  changesUnderTest,
  entitiesOf,
  happenedTo,
  quick,
} from "#services/api/features/changes/testing/harness.ts";
import { eventually } from "#test/support/eventually.ts";

const t = changesUnderTest();

describe("a client that is connected", () => {
  it("is told of what happens, as declared, and where it would go on", async () => {
    const client = await t.replica().follow("?types=activity");
    await eventually(() => expect(client.lastId).toMatch(/^\d+-\d+$/));
    expect(client.response.headers.get("content-type")).toBe("text/event-stream");
    expect(client.response.headers.get("cache-control")).toBe("no-store");
    expect(client.retry).toBeGreaterThanOrEqual(1_000);
    await t.happens(7);
    const [event] = await client.some(1);
    expect(event!.kind).toBe("activity");
    expect(event!.data).toEqual({
      kind: "activity",
      at: expect.any(String),
      event_type: "DESCRIPTION_UPDATED",
      entity_id: 7,
    });
    expect(ChangeEvent.safeParse(event!.data).success).toBe(true);
    expect(client.lastId).toBe(event!.id);
  });

  it("is told of many at once by their number", async () => {
    const client = await t.replica().follow("?types=activity&entity_id=5");
    await t.db.transaction(async (tx) => {
      const { recordActivity } = await import("#metadata/catalogue/activity.ts");
      const many = Array.from({ length: 300 }, (_, n) => ({
        type: "DESCRIPTION_UPDATED" as const,
        entityId: n + 1,
        actor: { kind: "system" as const, name: null, provider: "" },
      }));
      await recordActivity(tx, many);
    });
    const [event] = await client.some(1);
    expect(event!.data).toMatchObject({ event_type: "DESCRIPTION_UPDATED", count: 300 });
    expect(event!.data).not.toHaveProperty("entity_id");
  });

  it("is told of nothing but what it asks for", async () => {
    const replica = t.replica();
    const alerts = await replica.follow("?types=alert,ingestion");
    const one = await replica.follow("?types=activity&entity_id=21,22");
    await t.happens(20, 21, 22, 23);
    await one.some(2);
    await t.db.query(`INSERT INTO change (kind, source_id, details) VALUES ('ingestion', 3,
      '{"position": 1, "entities": {"new": 1, "changed": 0, "unchanged": 0, "stale": 0}}')`);
    expect((await alerts.some(1)).map(({ kind }) => kind)).toEqual(["ingestion"]);
    expect(entitiesOf(one)).toEqual([21, 22]);
    expect(ChangeEvent.safeParse(alerts.events[0]!.data).error).toBeUndefined();
  });

  it("is sent heartbeats, and its last event id moves on past events that it does not ask for", async () => {
    const replica = t.replica({ following: { ...quick, heartbeatMs: 100 } });
    const client = await replica.follow("?types=alert");
    await eventually(() => expect(client.lastId).not.toBe(""));
    const begun = client.lastId;
    await t.happens(1);
    await eventually(() => expect(client.lastId).not.toBe(begun));
    expect(client.comments).toContain("still here");
    expect(client.events).toEqual([]);
  });

  it("is told of the position of the lineage, at first and when it moves", async () => {
    const replica = t.replica();
    const client = await replica.follow("?types=projection");
    const [first] = await client.some(1);
    await t.db.query("SELECT lineage_append(ARRAY[1])");
    const [, second] = await client.some(2);
    expect(second!.data.position).toBe(first!.data.position + 1);
    expect(ChangeEvent.safeParse(second!.data).success).toBe(true);
  });

  it("of parts of one data source read together, is told once, with their sums", async () => {
    const client = await t.replica().follow("?types=ingestion");
    const ingestionRow = (source: number, position: number) =>
      `('ingestion', ${source},
      '{"position": ${position}, "entities": {"new": 1, "changed": 2, "unchanged": 3, "stale": 0}}')`;
    await t.db.query(`INSERT INTO change (kind, source_id, details)
      VALUES ${ingestionRow(1, 10)}, ${ingestionRow(2, 11)}, ${ingestionRow(1, 12)}`);
    const received = await client.some(2);
    expect(received.map(({ data }) => [data.source_id, data.position, data.entities.changed]))
      .toEqual([[2, 11, 2], [1, 12, 4]]);
  });
});

describe("a transaction that begins first and commits last", () => {
  it.each(["connected all the time", "coming back"])(
    "is told of once, to a client %s",
    async (who) => {
      const replica = t.replica();
      let client = await replica.follow("?types=activity");
      await eventually(() => expect(client.lastId).not.toBe(""));
      const begun = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const late = t.db.transaction(async (tx) => {
        await happenedTo(tx, 1_001);
        begun.resolve();
        await commit.promise;
      });
      await begun.promise;
      await t.happens(1_002);
      await t.happens(1_003);
      const seen = [...entitiesOf(client)];
      if (who === "coming back") {
        const { lastId } = client;
        await client.leave();
        client = await replica.follow("?types=activity", lastId);
      }
      commit.resolve();
      await late;
      await t.happens(1_004);
      await eventually(() => expect(entitiesOf(client)).toContain(1_004));
      const all = [...(who === "coming back" ? seen : []), ...entitiesOf(client)];
      expect([...all].sort()).toEqual([1_001, 1_002, 1_003, 1_004]);
    },
  );

  it(
    "many at once, in any order: each is told of exactly once, to whoever comes and goes as well",
    async () => {
      const replicas = [t.replica(), t.replica()];
      const constant = await replicas[0]!.follow("?types=activity");
      let moving = await replicas[1]!.follow("?types=activity");
      await eventually(() => expect([constant.lastId, moving.lastId]).not.toContain(""));
      const ids = Array.from({ length: 120 }, (_, n) => 5_000 + n);
      const received: (number | undefined)[] = [];
      const writers = Array.from({ length: 6 }, async (_, w) => {
        for (const id of ids.filter((one) => one % 6 === w)) {
          await t.db.transaction(async (tx) => {
            await happenedTo(tx, id);
            await tx.query("SELECT pg_sleep($1::float8)", [Math.random() * 0.02]);
          });
        }
      });
      const comingAndGoing = (async () => {
        for (let n = 0; n < 8; n++) {
          await moving.some(5);
          const { lastId } = moving;
          await moving.leave();
          received.push(...entitiesOf(moving));
          moving = await replicas[n % 2]!.follow("?types=activity", lastId);
        }
      })();
      await Promise.all([...writers, comingAndGoing]);
      await eventually(() => expect(entitiesOf(constant)).toHaveLength(ids.length));
      await eventually(() => expect([...received, ...entitiesOf(moving)]).toHaveLength(ids.length));
      expect([...entitiesOf(constant)].sort()).toEqual(ids);
      expect([...received, ...entitiesOf(moving)].sort()).toEqual(ids);
    },
  );
});
