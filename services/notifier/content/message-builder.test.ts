import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertMessage } from "#contract/notifications.ts";
import type { LineageGraph, Walk } from "#graph/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { PermanentError, unavailable } from "#kit/errors.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import { GraphDown } from "#services/notifier/content/reach.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { anEvent } from "#test/support/alerts/deliveries.ts";

let t: TestDatabase;
let ids: Record<string, number>;

beforeAll(async () => {
  t = await testDatabase();
  ids = await insertEntities(t.db, [
    "root",
    "near",
    "far",
    "farther",
    { name: "ghost", hollow: true },
    "behind-ghost",
    { name: "deleted", status: 5 },
    "behind-deleted",
  ]);
  const edge = (parent: string, child: string) =>
    [ids[child]!, ids[parent]!, ids[child]!] as [number, number, number];
  await insertEdges(t.db, [
    edge("root", "near"),
    edge("near", "far"),
    edge("far", "farther"),
    edge("farther", "root"),
    edge("root", "ghost"),
    edge("ghost", "behind-ghost"),
    edge("root", "deleted"),
    edge("deleted", "behind-deleted"),
  ]);
  await t.db.query(
    `WITH n AS (INSERT INTO namespace (name) VALUES ('finance') RETURNING id),
          s AS (INSERT INTO data_source (catrn, name, namespace_id)
                SELECT '//w', 'Warehouse', id FROM n RETURNING id),
          o AS (INSERT INTO owner (name) VALUES ('ann'), ('bob') RETURNING id, name),
          t AS (INSERT INTO title (name) VALUES ('Steward') RETURNING id),
          p AS (INSERT INTO ownership (entity_id, owner_id, title_id)
                SELECT $1, o.id, CASE WHEN o.name = 'ann' THEN t.id END FROM o, t)
     UPDATE data_entity SET data_source_id = (SELECT id FROM s), internal_name = 'Orders'
      WHERE id = $1`,
    [ids.root],
  );
});
afterAll(() => t.drop());

function builderOf(depth: number, graph: LineageGraph = new PostgresGraph(t.db)) {
  return new MessageBuilder({ db: t.db, graph, depth, maxNodes: 1_000, timeoutMs: 2_000 });
}

async function composed(depth: number, entity: number | null, graph?: LineageGraph) {
  const event = anEvent({ entity_id: entity });
  return (await builderOf(depth, graph).build([event])).get(event.id) as AlertMessage;
}

const names = (message: AlertMessage) => message.downstream.map((entity) => entity.name);

describe("Composer", () => {
  it("names the entity, its source, the namespace of that, and owners without a title", async () => {
    expect((await composed(0, ids.root!)).data_entity).toEqual({
      id: ids.root,
      name: "Orders",
      data_source_name: "Warehouse",
      namespace_name: "finance",
      type: "TABLE",
      owners: [
        { owner_name: "ann", title_name: "Steward" },
        { owner_name: "bob", title_name: null },
      ],
    });
  });

  it("names what is affected to exactly the depth, nearest first, without hollow entities", async () => {
    expect(names(await composed(0, ids.root!))).toEqual([]);
    expect(names(await composed(1, ids.root!))).toEqual(["near"]);
    expect(names(await composed(2, ids.root!))).toEqual(["near", "far", "behind-ghost"]);
    expect(names(await composed(50, ids.root!)))
      .toEqual(["near", "far", "behind-ghost", "farther"]);
  });

  it("tells changes on several entities apart, though they are requested together", async () => {
    const events = ["root", "near", "far"].map((name) => anEvent({ entity_id: ids[name]! }));
    const small = new MessageBuilder({
      db: t.db,
      graph: new PostgresGraph(t.db),
      depth: 1,
      // Not enough for all at once.
      maxNodes: 4,
      timeoutMs: 2_000,
    });
    for (const each of [builderOf(1), small]) {
      const messages = await each.build(events);
      expect(events.map((event) => names(messages.get(event.id) as AlertMessage)))
        .toEqual([["near"], ["far"], ["farther"]]);
    }
  });

  it("passes by deleted entities that a late copy of the graph still holds", async () => {
    const edges: Walk["edges"] = [
      [ids.root!, ids.deleted!],
      [ids.deleted!, ids["behind-deleted"]!],
      [ids.root!, ids.near!],
    ];
    const late = { walk: () => Promise.resolve({ position: 1, edges, degrees: new Map() }) };
    expect(names(await composed(2, ids.root!, late as unknown as LineageGraph))).toEqual(["near"]);
  });

  it("says that there is more when a budget ends the walk", async () => {
    const event = anEvent({ entity_id: ids.root! });
    const graph = new PostgresGraph(t.db);
    const small = new MessageBuilder({ db: t.db, graph, depth: 9, maxNodes: 3, timeoutMs: 2_000 });
    const message = (await small.build([event])).get(event.id) as AlertMessage;
    expect(message.downstream_truncated).toBe(true);
    expect((await composed(9, ids.root!)).downstream_truncated).toBe(false);
  });

  it("calls a hollow entity by its CATRN and an alert of no entity by nothing", async () => {
    const hollow = (await composed(1, ids.ghost!)).data_entity!;
    expect(hollow.name).toMatch(/^\/\/test\/.*\/ghost$/);
    expect(hollow.type).toBeNull();
    const orphan = await composed(1, null);
    expect([orphan.data_entity, orphan.downstream]).toEqual([null, []]);
    expect(orphan.downstream_truncated).toBe(false);
  });

  it("tells of an entity that is gone as an error of this change alone", async () => {
    const [gone, fine] = [anEvent({ entity_id: 9_999_999 }), anEvent({ entity_id: ids.near! })];
    const messages = await builderOf(1).build([gone!, fine!]);
    expect(messages.get(gone!.id)).toBeInstanceOf(PermanentError);
    expect((messages.get(fine!.id) as AlertMessage).data_entity?.name).toBe("near");
  });

  it("says so when the graph does not answer, and can do without", async () => {
    const down = { walk: () => Promise.reject(unavailable("down")) } as unknown as LineageGraph;
    const event = anEvent({ entity_id: ids.root! });
    const over = builderOf(1, down);
    await expect(over.build([event])).rejects.toBeInstanceOf(GraphDown);
    const messages = await over.build([event], { withoutGraph: true });
    const message = messages.get(event.id) as AlertMessage;
    expect([message.downstream, message.downstream_truncated]).toEqual([[], true]);
  });

  it("keeps the newest chunks within their bounds, and 5,000 affected entities", async () => {
    const [{ id }] = await t.db.query<{ id: number }>(
      "INSERT INTO alert (entity_id, type, status) VALUES ($1, 3, 1) RETURNING id",
      [ids.near],
    ) as [{ id: number }];
    await t.db.query(
      `INSERT INTO alert_chunk (alert_id, created_at, description)
       SELECT $1, '2030-01-01Z'::timestamptz + make_interval(secs => n), repeat('x', 20000)
         FROM generate_series(1, 150) n`,
      [id],
    );
    const wide = await insertEntities(t.db, Array.from({ length: 5_001 }, (_, i) => `w${i}`));
    const [hub, ...leaves] = Object.values(wide);
    await insertEdges(t.db, leaves.map((leaf) => [leaf, hub!, leaf]));
    const event = anEvent({ alert_id: id, entity_id: hub! });
    const graph = new PostgresGraph(t.db);
    const large = new MessageBuilder({
      db: t.db,
      graph,
      depth: 1,
      maxNodes: 9_000,
      timeoutMs: 9_000,
    });
    const message = (await large.build([event])).get(event.id) as AlertMessage;
    expect(message.alert_chunks).toHaveLength(62);
    expect(message.alert_chunks[0]!.created_at).toBe("2030-01-01T00:02:30.000Z");
    expect(message.alert_chunks[0]!.description).toHaveLength(16_000);
    expect([message.downstream.length, message.downstream_truncated]).toEqual([5_000, false]);
  });
});
