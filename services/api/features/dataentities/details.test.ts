import { beforeAll, expect, test } from "vitest";
import { DataEntityDetails } from "#contract/catalogue/entity.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { eventually } from "#test/support/eventually.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(dataEntityRoutes);
let sourceId: number;

beforeAll(async () => {
  sourceId = await seed.seedSource(database.db, { namespace: "n" });
});

async function detailsOf(id: number) {
  const answer = await api.get(`/api/dataentities/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return DataEntityDetails.parse(answer.json);
}
const idsOf = (items: { id: number }[] | null | undefined) => items?.map((item) => item.id);
const make = (given: seed.SeedEntity) => seed.seedEntity(database.db, { sourceId, ...given });

test("getDataEntityDetails 200: a dataset with all that hangs on it", async () => {
  const { db } = database;
  const id = await make({
    attributes: { dataset: { rows_number: 12, parent_catrn: null } },
    externalDescription: "told",
    lastIngestedAt: new Date(Date.now() - 30 * 86_400_000),
  });
  const group = await make({ type: "DAG" });
  await seed.seedMember(db, group, id);
  await seed.seedMember(db, group, id, "MANUAL");
  await seed.seedMember(db, await make({ type: "DAG", status: 5 }), id);
  await seed.seedTag(db, id, "plain");
  await seed.seedTag(db, id, "plain", { origin: "INTERNAL" });
  await seed.seedTag(db, id, "important", { origin: "INTERNAL", important: true });
  await seed.seedOwnership(db, id, "ann", "steward");
  await seed.seedEdge(db, id, await make({ type: "DASHBOARD" }));
  await seed.seedEdge(db, id, id);
  const a = await dataset.seedField(db, id, { catrn: "//f/a" });
  const b = await dataset.seedField(db, id, { catrn: "//f/b" });
  await dataset.seedVersion(db, id, 1, [a, b]);
  const newest = await dataset.seedVersion(db, id, 2, [a]);
  await db.query(
    `WITH f AS (INSERT INTO metadata_field (name, type, origin)
       VALUES ('size', 'INTEGER', 'EXTERNAL') RETURNING id)
     INSERT INTO metadata_value SELECT $1, id, '9007199254740993' FROM f`,
    [id],
  );

  const details = await detailsOf(id);
  expect(details).toMatchObject({
    type: { name: "TABLE" },
    stats: { rows_count: 12, fields_count: 1, consumers_count: 1 },
    external_description: "told",
    internal_description: null,
    is_stale: true,
    source_list: null,
    entities: null,
    manually_created: false,
    metadata_field_values: [{ field: { name: "size" }, value: "9007199254740993" }],
  });
  expect(idsOf(details.data_entity_groups)).toEqual([group]);
  expect(details.version_list!.map((v) => v.version)).toEqual([2, 1]);
  expect(details.version_list![0]!.id).toBe(newest);
  expect(details.tags!.map((t) => [t.name, t.external])).toEqual([
    ["important", false],
    ["plain", true],
  ]);
  expect(details.ownership![0]).toMatchObject({
    owner: { name: "ann" },
    title: { name: "steward" },
  });
});

test("getDataEntityDetails 200: a transformer names inputs and outputs in declared order", async () => {
  const input = await make({ catrn: "//t/in" });
  const hollow = await make({ catrn: "//t/hollow", hollow: true });
  await make({ catrn: "//t/deleted", status: 5 });
  const output = await make({ catrn: "//t/out" });
  const id = await make({
    type: "JOB",
    attributes: {
      data_transformer: {
        inputs: ["//t/hollow", "//t/in", "//t/hollow", "//t/deleted"],
        outputs: ["//t/out"],
      },
    },
  });
  await dataset.seedRun(database.db, id, { catrn: "//r/1", start: new Date("2026-01-01") });
  await dataset.seedRun(database.db, id, {
    catrn: "//r/2",
    start: new Date("2025-12-31"),
    end: new Date("2026-01-02"),
    status: "FAILED",
  });
  await seed.seedAlert(database.db, input);
  await seed.seedAlert(database.db, output, { status: 2 });
  const details = await detailsOf(id);
  expect(idsOf(details.source_list)).toEqual([hollow, input]);
  expect(details.source_list!.map((e) => e.has_alerts)).toEqual([false, true]);
  expect(details.source_list![0]!.external_name).toBeNull();
  expect(details.target_list!.map((e) => [e.id, e.has_alerts])).toEqual([[output, false]]);
  expect(details.latest_run).toMatchObject({ catrn: "//r/2", status: "FAILED" });
  expect(details.stats).toBeNull();
});

test("getDataEntityDetails 200: a consumer and an input", async () => {
  const end = await make({ catrn: "//c/end" });
  const consumer = await make({
    type: "DASHBOARD",
    attributes: { data_consumer: { inputs: ["//c/end"] } },
  });
  const silent = await make({ type: "DASHBOARD", attributes: { data_consumer: { inputs: null } } });
  const call = await make({
    type: "API_CALL",
    attributes: { data_input: { outputs: ["//c/end"] } },
  });
  expect(idsOf((await detailsOf(consumer)).input_list)).toEqual([end]);
  expect(idsOf((await detailsOf(silent)).input_list)).toEqual([]);
  expect(idsOf((await detailsOf(call)).output_list)).toEqual([end]);
});

test("getDataEntityDetails 200: a quality test, its expectation as a map of texts", async () => {
  const checked = await make({});
  const id = await make({
    type: "JOB",
    classes: [4],
    attributes: {
      data_quality_test: {
        suite_name: "suite",
        suite_url: null,
        dataset_list: ["ignored here"],
        expectation: { type: "between", category: "ASSERTION", min: 1, columns: ["a", "b"] },
        linked_url_list: [{ name: "run book", url: "https://example.org" }],
      },
    },
  });
  await database.db.query("INSERT INTO test_dataset VALUES ($1, $2)", [id, checked]);
  const details = await detailsOf(id);
  expect(details).toMatchObject({
    suite_name: "suite",
    suite_url: null,
    expectation: { type: "between", category: "ASSERTION", min: "1", columns: '["a", "b"]' },
    linked_url_list: [{ name: "run book", url: "https://example.org" }],
    latest_run: null,
  });
  expect(idsOf(details.datasets_list)).toEqual([checked]);
});

test("getDataEntityDetails 200: a group counts live members once", async () => {
  const group = await make({ type: "DAG" });
  const inner = await make({ type: "ML_EXPERIMENT" });
  const member = await make({});
  await seed.seedMember(database.db, group, inner);
  await seed.seedMember(database.db, group, member);
  await seed.seedMember(database.db, group, member, "PARENT");
  await seed.seedMember(database.db, group, await make({ status: 5 }));
  await seed.seedMember(database.db, group, await make({ hollow: true }));
  const details = await detailsOf(group);
  expect(details.items_count).toBe(2);
  expect(idsOf(details.entities)).toEqual([inner, member]);
  expect(details.has_children).toBe(true);
  expect((await detailsOf(inner)).has_children).toBe(false);
});

test("getDataEntityDetails 200: a relationship shows its ends and its kind", async () => {
  const source = await make({});
  const target = await make({});
  const id = await make({ type: "GRAPH_RELATIONSHIP" });
  await dataset.seedRelationship(database.db, id, { kind: "GRAPH", source, target });
  const details = await detailsOf(id);
  expect(details.source_data_entity!.id).toBe(source);
  expect(details.target_data_entity!.id).toBe(target);
  expect(details.graph_relationship).toMatchObject({ attributes: [] });
  expect(details.erd_relationship).toBeNull();
});

test("getDataEntityDetails 200: row counts beyond 2^53 keep their digits", async () => {
  const id = await make({});
  await database.db.query(
    `UPDATE data_entity SET attributes = '{"dataset": {"rows_number": 9007199254740993}}'
      WHERE id = $1`,
    [id],
  );
  expect((await api.get(`/api/dataentities/${id}`)).text).toContain(" : 9007199254740993,");
});

test("getDataEntityDetails 200: a deleted entity stays readable", async () => {
  const details = await detailsOf(await make({ status: 5 }));
  expect(details.status.status).toBe("DELETED");
});

test("getDataEntityDetails 200: a status that will switch says when", async () => {
  const at = new Date("2030-01-02T03:04:05.678Z");
  const details = await detailsOf(await make({ status: 2, statusSwitchAt: at }));
  expect(details.status).toEqual({ status: "DRAFT", status_switch_time: at.toISOString() });
});

test("getDataEntityDetails counts every view, also of many at once", async () => {
  const id = await make({});
  await Promise.all(Array.from({ length: 20 }, () => api.get(`/api/dataentities/${id}`)));
  await eventually(async () => {
    const rows = await database.db.query("SELECT view_count FROM data_entity WHERE id = $1", [id]);
    expect(rows[0]!.view_count).toBe(20);
  });
  expect((await detailsOf(id)).view_count).toBe(20);
});

test("getDataEntityDetails counts no view where it is told so", async () => {
  const id = await make({});
  const repeated = await api.get(`/api/dataentities/${id}?count_view=false`);
  expect(repeated.status).toBe(200);
  // Views are counted in order: this one after the other, had that been one.
  await api.get(`/api/dataentities/${id}?count_view=true`);
  await eventually(async () => expect((await reread(id)).view_count).toBe(1));
  const answer = await api.get(`/api/dataentities/${id}?count_view=no`);
  expect([answer.status, answer.json.details[0].field]).toEqual([400, "count_view"]);
});
const reread = async (id: number) =>
  (await api.get(`/api/dataentities/${id}?count_view=false`)).json;

test("getDataEntityDetails does not wait for whoever holds the entity's row", async () => {
  const id = await make({});
  await database.db.transaction(async (tx) => {
    await tx.query("SELECT 1 FROM data_entity WHERE id = $1 FOR UPDATE", [id]);
    expect((await detailsOf(id)).view_count).toBe(0);
  });
});

test("getDataEntityDetails 404: hollow and unknown", async () => {
  for (const id of [await make({ hollow: true }), 999_999_999]) {
    const answer = await api.get(`/api/dataentities/${id}`);
    expect(answer.status).toBe(404);
    expect(answer.json.code).toBe("USR002");
  }
});

test("getDataEntityDetails 400: an id that is none", async () => {
  for (const id of ["x", "0", "-1", "9007199254740993"]) {
    expect((await api.get(`/api/dataentities/${id}`)).status).toBe(400);
  }
});
