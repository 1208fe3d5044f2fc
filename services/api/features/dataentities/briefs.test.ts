import { beforeAll, expect, test } from "vitest";
import { DataEntityBriefList, maxBriefs } from "#contract/catalogue/entity.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { briefDescription } from "#services/api/features/dataentities/limits.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(dataEntityRoutes);
let sourceId: number;
beforeAll(async () => void (sourceId = await seed.seedSource(database.db)));

const make = (given: seed.SeedEntity = {}) => seed.seedEntity(database.db, { sourceId, ...given });

async function briefsOf(...ids: (number | string)[]) {
  const answer = await api.get(`/api/dataentities/details?ids=${ids.join()}`);
  expect(answer.status, answer.text).toBe(200);
  return DataEntityBriefList.parse(answer.json);
}

test("getDataEntitiesByIds 200: in the order asked for, each once, with what is shown at a glance", async () => {
  const { db } = database;
  const [one, other] = [
    await make({ externalDescription: "told by the collector" }),
    await make({ status: 5 }),
  ];
  await seed.seedOwnership(db, one, "ann", "steward");
  await db.query("INSERT INTO alert (entity_id, type, status) VALUES ($1, 3, 1)", [one]);
  const { items, missing } = await briefsOf(other, one, other);
  expect(missing).toEqual([]);
  expect(items.map(({ id }) => id)).toEqual([other, one]);
  expect(items[0]).toMatchObject({
    status: { status: "DELETED" },
    has_alerts: false,
    ownership: [],
    description: null,
  });
  expect(items[1]).toMatchObject({
    has_alerts: true,
    description: "told by the collector",
    type: { name: "TABLE" },
    data_source: { id: sourceId },
    ownership: [{ owner: { name: "ann" }, title: { name: "steward" } }],
  });
});

test("getDataEntitiesByIds 200: what people wrote comes first, and of a long text its beginning", async () => {
  const { db } = database;
  const [written, long] = [await make({ externalDescription: "told" }), await make()];
  await db.query("UPDATE data_entity SET internal_description = 'written' WHERE id = $1", [
    written,
  ]);
  await db.query("UPDATE data_entity SET internal_description = repeat('ü', 600) WHERE id = $1", [
    long,
  ]);
  const { items } = await briefsOf(written, long);
  expect(items[0]!.description).toBe("written");
  expect(items[1]!.description).toBe(`${"ü".repeat(briefDescription - 1)}…`);
});

test("getDataEntitiesByIds 200: unknown and hollow ones are left out and listed", async () => {
  const [known, hollow] = [await make(), await make({ hollow: true })];
  const { items, missing } = await briefsOf(999_999, known, hollow, 0, 9_999_999_999_999);
  expect(items.map(({ id }) => id)).toEqual([known]);
  expect(missing).toEqual([999_999, hollow, 0, 9_999_999_999_999]);
  expect(await briefsOf()).toEqual({ items: [], missing: [] });
});

test("getDataEntitiesByIds 200: views are not counted", async () => {
  const id = await make();
  await briefsOf(id);
  const rows = await database.db.query("SELECT view_count FROM data_entity WHERE id = $1", [id]);
  expect(rows).toEqual([{ view_count: 0 }]);
});

test("getDataEntitiesByIds 400: too many ids, and what is none", async () => {
  const many = Array.from({ length: maxBriefs + 1 }, (_, n) => n + 1).join();
  for (const ids of [many, "x", "1;2", "-1"]) {
    const answer = await api.get(`/api/dataentities/details?ids=${ids}`);
    expect([ids.slice(0, 5), answer.status, answer.json.details[0].field])
      .toEqual([ids.slice(0, 5), 400, "ids"]);
  }
});
