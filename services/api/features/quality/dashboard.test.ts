import { beforeAll, describe, expect, it } from "vitest";
import type { DataQualityResults } from "#contract/catalogue/quality.ts";
import { qualityRoutes } from "#services/api/features/quality/routes.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity, seedOwnership, seedSource, seedTag } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(qualityRoutes);

/** Ids to filter by, of what the tests and of what the datasets below have. */
const ids: Record<string, number> = {};

const dashboard = async (query = ""): Promise<DataQualityResults> => {
  const answer = await api.get(`/api/dataqatests/runs${query}`);
  expect(answer.status).toBe(200);
  return answer.json;
};
/** `[category, status, count]` of what is not 0. */
const runsOf = ({ test_results }: DataQualityResults) =>
  test_results.flatMap(({ category, results }) =>
    results.filter(({ count }) => count > 0).map(({ status, count }) => [category, status, count])
  );
const tablesOf = (
  { tables_dashboard: { tables_health, monitored_tables } }: DataQualityResults,
) => [
  ...Object.values(tables_health),
  ...Object.values(monitored_tables),
];
const idOf = async (sql: string, ...values: unknown[]) =>
  (await database.db.query<{ id: number }>(sql, values))[0]!.id;

beforeAll(async () => {
  const { db } = database;
  const [lake, shop] = [
    await seedSource(db, { namespace: "lake" }),
    await seedSource(db, { namespace: "shop" }),
  ];
  const [good, bad, broken, unclear, fresh] = [
    await seedEntity(db, { sourceId: lake, name: "good" }),
    await seedEntity(db, { sourceId: lake, name: "bad", type: "VIEW" }),
    await seedEntity(db, { sourceId: shop, name: "broken" }),
    await seedEntity(db, { sourceId: shop, name: "unclear" }),
    await seedEntity(db, { sourceId: shop, name: "fresh" }),
  ];
  await seedEntity(db, { sourceId: shop, name: "untested" });
  await seedEntity(db, { hollow: true });
  const gone = await seedEntity(db, { sourceId: shop, name: "gone", status: 5 });
  const skipped = await seedTest(db, { sourceId: shop, of: [[good]], runs: ["FAILED", "SKIPPED"] });
  const failing = await seedTest(db, {
    sourceId: lake,
    of: [[bad], [broken]],
    runs: ["FAILED", "RUNNING"],
    category: "SCHEMA_CHANGE",
  });
  await db.query("DELETE FROM test_dataset WHERE (test_id, dataset_id) = ($1, $2)", [
    failing,
    broken,
  ]);
  await seedTest(db, { sourceId: lake, of: [[good], [bad]], runs: ["SUCCESS"] });
  await seedTest(db, { sourceId: shop, of: [[broken], [gone]], runs: ["BROKEN"], category: "new" });
  await seedTest(db, {
    sourceId: shop,
    of: [[broken], [unclear]],
    runs: ["UNKNOWN"],
    category: null,
  });
  await seedTest(db, { sourceId: shop, of: [[fresh]], runs: ["RUNNING"] });
  await seedTest(db, { sourceId: shop, of: [[fresh]] });
  await seedTest(db, { sourceId: shop, of: [[good]], runs: ["FAILED"], status: 5 });
  await seedTag(db, skipped, "nightly");
  await seedTag(db, bad, "pii");
  await seedOwnership(db, failing, "Ada", "Steward");
  await seedOwnership(db, skipped, "Ada", "Cook");
  await seedOwnership(db, failing, "Bob", "Cook");
  await seedOwnership(db, broken, "Bob", "Cook");
  const named = (table: string, name: string) =>
    idOf(`SELECT id FROM ${table} WHERE name = $1`, name);
  Object.assign(ids, { lake, shop });
  for (const name of ["lake", "shop"]) ids[`ns ${name}`] = await named("namespace", name);
  for (const name of ["nightly", "pii"]) ids[name] = await named("tag", name);
  for (const name of ["Ada", "Bob"]) ids[name] = await named("owner", name);
  for (const name of ["Steward", "Cook"]) ids[name] = await named("title", name);
});

const other = "Unknown category";

describe("getDataQualityTestsRuns", () => {
  it("200: tests by category and latest run, datasets by what finished last", async () => {
    const all = await dashboard();
    expect(runsOf(all)).toEqual([
      ["Assertion Tests", "SUCCESS", 1],
      ["Assertion Tests", "SKIPPED", 1],
      ["Assertion Tests", "RUNNING", 1],
      ["Schema Changes", "RUNNING", 1],
      [other, "BROKEN", 1],
      [other, "UNKNOWN", 1],
    ]);
    expect(all.tables_dashboard).toEqual({
      tables_health: { healthy_tables: 1, error_tables: 1, warning_tables: 1, unknown_tables: 2 },
      monitored_tables: { monitored_tables: 5, not_monitored_tables: 1 },
    });
  });

  it("200: every category with every status, also without tests", async () => {
    const { test_results } = await dashboard("?tagIds=999999999");
    expect(test_results.map(({ category, results }) => [category, results.length])).toEqual([
      ["Assertion Tests", 7],
      ["Volume Anomalies", 7],
      ["Freshness Anomalies", 7],
      ["Column Values Anomalies", 7],
      ["Schema Changes", 7],
      [other, 7],
    ]);
  });

  // Tables: healthy, error, warning, unknown; monitored, not monitored.
  it.each<[string, () => string, runs: number, tables: number[]]>([
    ["the source of tests", () => `datasourceIds=${ids.lake}`, 2, [1, 1, 0, 0, 2, 4]],
    ["the namespace of tests", () => `namespaceIds=${ids["ns lake"]}`, 2, [1, 1, 0, 0, 2, 4]],
    ["a tag of tests", () => `tagIds=${ids.nightly}`, 1, [1, 0, 0, 0, 1, 5]],
    ["an owner of tests", () => `ownerIds=${ids.Ada}`, 2, [1, 1, 0, 0, 2, 4]],
    ["two owners", () => `ownerIds=${ids.Ada},${ids.Bob}`, 2, [1, 1, 0, 0, 2, 4]],
    ["a title of tests", () => `titleIds=${ids.Steward}`, 1, [0, 1, 0, 0, 1, 5]],
    ["one ownership with both", () => `ownerIds=${ids.Ada}&titleIds=${ids.Cook}`, 1, [
      ...[1, 0, 0, 0, 1, 5],
    ]],
    ["the source of datasets", () => `deDatasourceIds=${ids.lake}`, 3, [1, 1, 0, 0, 2, 0]],
    ["the namespace of datasets", () => `deNamespaceIds=${ids["ns shop"]}`, 3, [0, 0, 1, 2, 3, 1]],
    ["a tag of datasets", () => `deTagIds=${ids.pii}`, 2, [0, 1, 0, 0, 1, 0]],
    ["an owner of datasets", () => `deOwnerIds=${ids.Bob}`, 2, [0, 0, 1, 0, 1, 0]],
    ["a title of datasets", () => `deTitleIds=${ids.Cook}`, 2, [0, 0, 1, 0, 1, 0]],
    [
      "both kinds",
      () => `datasourceIds=${ids.lake}&deDatasourceIds=${ids.shop}`,
      0,
      [0, 0, 0, 0, 0, 4],
    ],
  ])("200: filtered by %s", async (_, query, runs, tables) => {
    const found = await dashboard(`?${query()}`);
    expect([runsOf(found).reduce((sum, [, , count]) => sum + Number(count), 0), tablesOf(found)])
      .toEqual([runs, tables]);
  });

  it.each(["namespaceIds", "deTitleIds"])("400 names %s", async (name) => {
    const answer = await api.get(`/api/dataqatests/runs?${name}=a`);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, name]);
  });
});

/** Names of what a list behind a number has. */
const namesOf = async (path: string): Promise<string[]> => {
  const answer = await api.get(path);
  expect(answer.status).toBe(200);
  const list = answer.json as { items: { external_name: string }[]; page_info: { total: number } };
  expect(list.page_info.total).toBeGreaterThanOrEqual(list.items.length);
  return list.items.map(({ external_name }) => external_name);
};

describe("getCountedTests", () => {
  it("200: as many as the dashboard counts, for every category and status", async () => {
    for (const [category, status, count] of runsOf(await dashboard())) {
      const query = new URLSearchParams({ category: String(category), status: String(status) });
      expect(await namesOf(`/api/dataqatests/tests?${query}`), String(query)).toHaveLength(
        Number(count),
      );
    }
    expect(await namesOf("/api/dataqatests/tests")).toHaveLength(6);
  });

  it("200: filtered like the dashboard, and paged", async () => {
    expect(await namesOf(`/api/dataqatests/tests?deDatasourceIds=${ids.lake}`)).toHaveLength(3);
    expect(await namesOf("/api/dataqatests/tests?page=2&size=4")).toHaveLength(2);
  });

  it("400: a category that no answer has", async () => {
    expect((await api.get("/api/dataqatests/tests?category=new")).status).toBe(400);
  });
});

describe("getCountedTables", () => {
  it.each([
    ["HEALTHY", ["good"]],
    ["ERROR", ["bad"]],
    ["WARNING", ["broken"]],
    ["UNKNOWN", ["unclear", "fresh"]],
    ["NOT_MONITORED", ["untested"]],
  ])("200: those of health %s", async (health, names) => {
    expect(await namesOf(`/api/dataqatests/tables?health=${health}`)).toEqual(names);
  });

  it("200: all of them, and filtered like the dashboard", async () => {
    expect(await namesOf("/api/dataqatests/tables")).toHaveLength(6);
    expect(await namesOf(`/api/dataqatests/tables?deTagIds=${ids.pii}`)).toEqual(["bad"]);
  });
});
