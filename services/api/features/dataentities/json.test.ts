import { afterAll, beforeAll, expect, test } from "vitest";
import { DataSource, DataSourceSafe } from "#contract/catalogue/common.ts";
import { DataEntityClass, DataEntityType } from "#contract/catalogue/entity-ref.ts";
import { entityClasses, entityStatuses, entityTypes } from "#contract/entities.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";

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

test("json_data_source never shows a token; the safe one has no place for it", async () => {
  const { db } = database;
  const id = await seedSource(db, { namespace: "n" });
  await db.query(
    `WITH t AS (INSERT INTO token (digest, hint) VALUES (sha256('very secret'), 'cret') RETURNING id)
     UPDATE data_source SET token_id = t.id FROM t WHERE data_source.id = $1`,
    [id],
  );
  const [row] = await db.query<{ full: unknown; joined: unknown; safe: unknown; none: unknown }>(
    `SELECT json_data_source(s.id) AS full, json_data_source(s, n) AS joined,
            json_data_source_safe(s.id) AS safe, json_data_source(NULL) AS none
       FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id WHERE s.id = $1`,
    [id],
  );
  expect(DataSource.parse(row!.full)).toMatchObject({ token: null, namespace: { name: "n" } });
  expect(row!.joined).toEqual(row!.full);
  expect(DataSourceSafe.parse(row!.safe)).not.toHaveProperty("token");
  expect(row!.none).toBeNull();
});

test("is_stale: only what was ingested, and longer ago than the days given", async () => {
  const [row] = await database.db.query(
    `SELECT is_stale(NULL, 7) AS never, is_stale(now() - interval '6 days', 7) AS fresh,
            is_stale(now() - interval '8 days', 7) AS stale`,
  );
  expect(row).toEqual({ never: false, fresh: false, stale: true });
});

test("json_ref_list takes as many as asked, counts all, and no harm from what is not a list", async () => {
  const { db } = database;
  const ids = [];
  for (const name of ["a", "b", "c"]) ids.push(await seedEntity(db, { catrn: `//refs/${name}` }));
  interface ListResponse {
    l: { id: number }[];
    l_total: number;
  }
  const [row] = await db.query<{ two: ListResponse; none: unknown; object: unknown }>(
    `SELECT json_ref_list('l', '["//refs/c", "//refs/a", "//refs/b"]', 7, 2) AS two,
            json_ref_list('l', NULL, 7, 2) AS none, json_ref_list('l', '{"a": 1}', 7, 2) AS object`,
  );
  expect(row!.two.l.map((ref) => ref.id)).toEqual([ids[2], ids[0]]);
  expect(row!.two.l_total).toBe(3);
  expect(row!.none).toEqual({ l: [], l_total: 0 });
  expect(row!.object).toEqual({ l: [], l_total: 0 });
});
