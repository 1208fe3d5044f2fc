import { beforeAll, describe, expect, it } from "vitest";
import { ActivityGroupList } from "#contract/catalogue/activity.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(activityRoutes);
let sourceId: number;
let tables: number[];

interface GivenEvent {
  entity: number;
  at: string;
  by?: string;
  type?: string;
}

async function event({ entity, at, by, type = "DATA_ENTITY_CREATED" }: GivenEvent) {
  await database.db.query(
    `INSERT INTO activity (event_type, entity_id, created_at, created_by, old_state, new_state, system_event)
     VALUES ($1, $2, $3, $4, '{}', '{}', $5)`,
    [type, entity, at, by ?? null, by === undefined],
  );
}

const at = (minute: number, second = 0) =>
  new Date(Date.UTC(2026, 2, 1, 8, minute, second)).toISOString();
const groups = async (size = 10) =>
  ActivityGroupList.parse((await api.get(`/api/activity/groups?size=${size}`)).json).items;

beforeAll(async () => {
  const { db } = database;
  sourceId = await seed.seedSource(db, { name: "shop" });
  tables = [];
  for (const name of ["a", "b", "c", "d"]) {
    tables.push(await seed.seedEntity(db, { name, sourceId }));
  }
});

describe("getActivityGroups", () => {
  it("200: the events of a batch are one, however many chunks it had; a later batch is another", async () => {
    for (const [n, entity] of tables.entries()) await event({ entity, at: at(0, n) });
    await event({ entity: tables[0]!, at: at(4) });
    await event({ entity: tables[1]!, at: at(30) });
    const [later, first, ...others] = await groups();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      event_type: "DATA_ENTITY_CREATED",
      first_at: at(0),
      last_at: at(4),
      system_event: true,
      created_by: null,
      data_source: { id: sourceId, name: "shop" },
      events: 5,
      entities: 4,
      complete: true,
    });
    expect(first!.examples.map(({ external_name }) => external_name)).toEqual(["a", "d", "c"]);
    expect(later).toMatchObject({ events: 1, entities: 1 });
  });

  it("200: what people do is theirs, whatever the source; the newest groups only", async () => {
    const type = "DESCRIPTION_UPDATED";
    await event({ entity: tables[0]!, at: at(40), by: "ada", type });
    await event({ entity: tables[1]!, at: at(41), by: "bob", type });
    await event({ entity: tables[2]!, at: at(42), by: "ada", type });
    const newest = await groups(2);
    expect(newest).toMatchObject([
      { created_by: { identity: { username: "ada" } }, data_source: null, entities: 2 },
      { created_by: { identity: { username: "bob" } }, entities: 1 },
    ]);
  });

  it("200: a group that goes on before what is looked at is not complete", async () => {
    await database.db.query(
      `INSERT INTO activity (event_type, entity_id, created_at, old_state, new_state, system_event)
       SELECT 'DATA_ENTITY_SCHEMA_UPDATED', $1, $2::timestamptz + n * interval '1 ms', '{}', '{}', true
         FROM generate_series(1, 2100) n`,
      [tables[0]!, at(50)],
    );
    expect(await groups()).toMatchObject([{ events: 2_000, entities: 1, complete: false }]);
  });

  it("400: more groups than are read at once", async () => {
    expect((await api.get("/api/activity/groups?size=51")).status).toBe(400);
  });
});
