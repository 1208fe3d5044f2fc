import { afterAll, beforeAll, expect, test } from "vitest";
import { DataEntityClass, DataEntityType } from "#contract/catalogue/entity-ref.ts";
import { entityClasses, entityStatuses, entityTypes } from "#contract/entities.ts";
import { type TestDatabase, testDatabase } from "#test/support/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase(2)));
afterAll(() => database.drop());

test("entity_class holds exactly the classes of the contract", async () => {
  const rows = await database.db.query<{ id: number; name: string }>("SELECT * FROM entity_class");
  expect(Object.fromEntries(rows.map((row) => [row.name, row.id]))).toEqual(entityClasses);
});

test("entity_type holds exactly the types of the contract, with their classes", async () => {
  const rows = await database.db.query<{ id: number; name: string; classes: number[] }>(
    "SELECT id, name, class_ids::int[] AS classes FROM entity_type",
  );
  const known = Object.entries(entityTypes).map(([name, { id, classes }]) => ({
    id,
    name,
    classes: classes.map((c) => entityClasses[c]),
  }));
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect(rows.sort(byId)).toEqual(known.sort(byId));
});

test("status_name names every status of the contract", async () => {
  const rows = await database.db.query<{ code: number; name: string }>(
    "SELECT code, status_name(code::smallint) AS name FROM generate_series(1, 5) code",
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.code]))).toEqual(entityStatuses);
});

test("json_classes gives each class with its types in order of id, and [] for none", async () => {
  const [row] = await database.db.query<
    { none: unknown; two: unknown; type: unknown; nothing: null }
  >(
    `SELECT json_classes('{}') AS none, json_classes('{2,1}') AS two,
            json_type(11::smallint) AS type, json_type(NULL) AS nothing`,
  );
  expect(row!.none).toEqual([]);
  const two = DataEntityClass.array().parse(row!.two);
  expect(two.map((c) => c.name)).toEqual(["DATA_SET", "DATA_TRANSFORMER"]);
  expect(two[1]!.types.map((t) => t.name)).toContain("VIEW");
  expect(DataEntityType.parse(row!.type)).toEqual({ id: 11, name: "VIEW" });
  expect(row!.nothing).toBeNull();
});
