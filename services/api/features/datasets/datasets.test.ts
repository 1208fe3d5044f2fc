import { expect, test } from "vitest";
import {
  DataSetStructure,
  DataSetVersionDiffList,
  DataSetVersionList,
} from "#contract/catalogue/dataset.ts";
import { datasetRoutes } from "#services/api/features/datasets/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(datasetRoutes);

const unknownId = 999_999_999;

async function twoVersions() {
  const { db } = database;
  const id = await seedEntity(db);
  const make = (catrn: string, given: Partial<seed.SeedField> = {}) =>
    seed.seedField(db, id, { catrn, ...given });
  const address = await make("//f/address", { type: "TYPE_STRUCT" });
  const city = await make("//f/city", { parent: "//f/address" });
  const dropped = await make("//f/dropped");
  const count = await make("//f/count", { type: "TYPE_INTEGER" });
  const first = await seed.seedVersion(db, id, 1, [address, city, dropped, count]);
  const moved = await make("//f/city");
  const retyped = await make("//f/count", { type: "TYPE_NUMBER", nullable: false });
  const added = await make("//f/added", { reference: "//f/count", type: "TYPE_REFERENCE" });
  const second = await seed.seedVersion(db, id, 2, [added, address, moved, retyped]);
  return { id, first, second, address, city, dropped, count, moved, retyped, added };
}

test("getDataSetStructureLatest 200: fields of the newest version in order", async () => {
  const made = await twoVersions();
  const answer = await api.get(`/api/datasets/${made.id}/structure`);
  expect(answer.status).toBe(200);
  const structure = DataSetStructure.parse(answer.json);
  expect(structure.data_set_version).toMatchObject({ id: made.second, version: 2 });
  expect(structure.field_list.map((f) => f.id)).toEqual([
    made.added,
    made.address,
    made.moved,
    made.retyped,
  ]);
  expect(structure.field_list[0]).toMatchObject({
    reference_field_id: made.retyped,
    parent_field_id: null,
    stats: null,
    terms: [],
  });
});

test("getDataSetStructureLatest 200: statistics, tags, metadata and enum values", async () => {
  const { db } = database;
  const id = await seedEntity(db);
  const field = await seed.seedField(db, id, {
    catrn: "//s/a",
    type: "TYPE_INTEGER",
    stats: {
      integer_stats: { low_value: 1, high_value: 2, nulls_count: 0, unique_count: 2 },
      tags: [{ name: "not shown here" }],
    },
  });
  await seed.seedVersion(db, id, 1, [field]);
  await seed.seedFieldTag(db, field, "pii", "INTERNAL");
  await seed.seedFieldTag(db, field, "measured", "EXTERNAL_STATISTICS");
  await db.query("INSERT INTO enum_value (field_id, name, origin) VALUES ($1, 'x', 'EXTERNAL')", [
    field,
  ]);
  const answer = await api.get(`/api/datasets/${id}/structure`);
  const [shown] = DataSetStructure.parse(answer.json).field_list;
  expect(shown!.enum_value_count).toBe(1);
  expect(shown!.tags!.map((t) => [t.name, t.external])).toEqual([
    ["measured", true],
    ["pii", false],
  ]);
  expect(shown!.stats).toEqual({
    integer_stats: { low_value: 1, high_value: 2, nulls_count: 0, unique_count: 2 },
    boolean_stats: null,
    number_stats: null,
    string_stats: null,
    binary_stats: null,
    datetime_stats: null,
    complex_stats: null,
  });
});

test("getDataSetStructureLatest 200: integers beyond 2^53 keep their digits", async () => {
  const { db } = database;
  const id = await seedEntity(db);
  const field = await seed.seedField(db, id, { catrn: "//s/big" });
  await db.query(
    `UPDATE dataset_field
        SET stats = '{"integer_stats": {"low_value": 9007199254740993, "high_value": 9007199254740993,
                                        "nulls_count": 0, "unique_count": 1}}'
      WHERE id = $1`,
    [field],
  );
  await seed.seedVersion(db, id, 1, [field]);
  const answer = await api.get(`/api/datasets/${id}/structure`);
  expect(answer.text).toContain("9007199254740993");
});

test("getDataSetStructureLatest 200: a dataset without fields", async () => {
  const id = await seedEntity(database.db);
  await seed.seedVersion(database.db, id, 1, []);
  const answer = await api.get(`/api/datasets/${id}/structure`);
  expect(DataSetStructure.parse(answer.json).field_list).toEqual([]);
});

test("getDataSetStructureLatest 404: unknown, hollow, without a structure", async () => {
  const hollow = await seedEntity(database.db, { hollow: true });
  const job = await seedEntity(database.db, { type: "JOB" });
  for (const id of [unknownId, hollow, job]) {
    expect((await api.get(`/api/datasets/${id}/structure`)).status).toBe(404);
  }
});

test("getDataSetStructureLatest 400: an id that is none", async () => {
  expect((await api.get("/api/datasets/x/structure")).status).toBe(400);
});

test("getDataSetStructureByVersionId 200: an older version, parents of that version", async () => {
  const made = await twoVersions();
  const answer = await api.get(`/api/datasets/${made.id}/structure/${made.first}`);
  expect(answer.status).toBe(200);
  const structure = DataSetStructure.parse(answer.json);
  expect(structure.field_list.map((f) => f.id)).toEqual([
    made.address,
    made.city,
    made.dropped,
    made.count,
  ]);
  expect(structure.field_list[1]!.parent_field_id).toBe(made.address);
});

test("getDataSetStructureByVersionId 404: a version of another dataset", async () => {
  const [one, other] = [await twoVersions(), await twoVersions()];
  expect((await api.get(`/api/datasets/${one.id}/structure/${other.first}`)).status).toBe(404);
});

test("getDataSetStructureByVersionId 400: a version id that is none", async () => {
  expect((await api.get("/api/datasets/1/structure/latest")).status).toBe(400);
});

const diffPath = (id: number, from: number | string, to: number | string) =>
  `/api/datasets/${id}/structure/diff?first_version_id=${from}&second_version_id=${to}`;

test("getDataSetStructureDiff 200: created, deleted, updated, unchanged, moved", async () => {
  const made = await twoVersions();
  const answer = await api.get(diffPath(made.id, made.first, made.second));
  expect(answer.status).toBe(200);
  const { field_list: fields } = DataSetVersionDiffList.parse(answer.json);
  const seen = fields.map((f) => [
    f.status,
    f.states[made.first]?.id ?? null,
    f.states[made.second]?.id ?? null,
  ]);
  expect(seen).toHaveLength(6);
  expect(seen).toEqual(expect.arrayContaining([
    ["CREATED", null, made.added],
    ["NO_CHANGES", made.address, made.address],
    ["DELETED", made.city, null],
    ["CREATED", null, made.moved],
    ["DELETED", made.dropped, null],
    ["UPDATED", made.count, made.retyped],
  ]));
  const moved = fields.find((f) => f.states[made.first]?.id === made.city)!;
  expect(moved.states[made.first]!.parent_field_id).toBe(made.address);
});

test("getDataSetStructureDiff 200: backwards, created and deleted change places", async () => {
  const made = await twoVersions();
  const answer = await api.get(diffPath(made.id, made.second, made.first));
  const counts = Object.groupBy(answer.json.field_list as { status: string }[], (f) => f.status);
  expect(counts.CREATED).toHaveLength(2);
  expect(counts.DELETED).toHaveLength(2);
});

test("getDataSetStructureDiff 200: other rows of equal content are no change", async () => {
  const { db } = database;
  const id = await seedEntity(db);
  const rows = [1, 2].map(() => seed.seedField(db, id, { catrn: "//same" }));
  const [a, b] = await Promise.all(rows);
  const first = await seed.seedVersion(db, id, 1, [a!]);
  const second = await seed.seedVersion(db, id, 2, [b!]);
  const answer = await api.get(diffPath(id, first, second));
  expect(answer.json.field_list.map((f: { status: string }) => f.status)).toEqual(["NO_CHANGES"]);
});

test("getDataSetStructureDiff 400: the same version twice, missing or mistyped ids", async () => {
  const made = await twoVersions();
  const same = await api.get(diffPath(made.id, made.first, made.first));
  expect(same.status).toBe(400);
  expect(same.json.details[0].field).toBe("second_version_id");
  expect((await api.get(diffPath(made.id, "x", made.first))).status).toBe(400);
  expect((await api.get(`/api/datasets/${made.id}/structure/diff`)).status).toBe(400);
});

test("getDataSetStructureDiff 404: a version of another dataset, an unknown dataset", async () => {
  const [one, other] = [await twoVersions(), await twoVersions()];
  expect((await api.get(diffPath(one.id, one.first, other.first))).status).toBe(404);
  expect((await api.get(diffPath(unknownId, one.first, one.second))).status).toBe(404);
});

test("getDataSetVersions 200: page by page, the newest first", async () => {
  const { id, first, second } = await twoVersions();
  const ask = async (page: number) => {
    const { status, json } = await api.get(`/api/datasets/${id}/versions?page=${page}&size=1`);
    expect(status).toBe(200);
    const { items, page_info } = DataSetVersionList.parse(json);
    return [items.map((v) => [v.id, v.version]), page_info];
  };
  expect(await ask(1)).toEqual([[[second, 2]], { total: 2, hasNext: true }]);
  expect(await ask(2)).toEqual([[[first, 1]], { total: 2, hasNext: false }]);
  expect(await ask(3)).toEqual([[], { total: 2, hasNext: false }]);
});

test("getDataSetVersions 404: for an unknown and a hollow entity", async () => {
  const hollow = await seedEntity(database.db, { hollow: true });
  for (const id of [unknownId, hollow]) {
    expect((await api.get(`/api/datasets/${id}/versions?page=1&size=1`)).status).toBe(404);
  }
});
