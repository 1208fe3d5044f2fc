import { beforeAll, describe, expect, it } from "vitest";
import { qualityRoutes } from "#services/api/features/quality/routes.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedRun } from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(qualityRoutes);
let dataset: number;
const of = (id: number, path: string) => api.get(`/api/datasets/${id}/${path}`);
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));

beforeAll(async () => {
  const { db } = database;
  dataset = await seedEntity(db);
  await seedTest(db, { name: "kept", of: [[dataset, "CRITICAL"]], runs: ["FAILED", "SUCCESS"] });
  await seedTest(db, { name: "busy", of: [[dataset]], runs: ["FAILED", "RUNNING"] });
  await seedTest(db, { name: "minor", of: [[dataset, "MINOR"]], runs: ["SUCCESS"] });
  await seedTest(db, { name: "skipped", of: [[dataset]], runs: ["SUCCESS", "SKIPPED"] });
  await seedTest(db, { name: "begun", of: [[dataset]], runs: ["RUNNING"] });
  await seedTest(db, { name: "idle", of: [[dataset]] });
  await seedTest(db, { name: "gone", of: [[dataset, "CRITICAL"]], runs: ["FAILED"], status: 5 });
});

describe("the reports of a dataset", () => {
  it("getDatasetTestReport 200: each test by its last finished run", async () => {
    expect((await of(dataset, "test_report")).json).toEqual({
      score: 33,
      total: 6,
      success_total: 2,
      failed_total: 1,
      skipped_total: 1,
      broken_total: 0,
      aborted_total: 0,
      unknown_total: 2,
      running_total: 2,
    });
  });

  it("getDatasetSLAReport 200: only what succeeded or failed counts", async () => {
    expect((await of(dataset, "sla_report")).json).toEqual({
      total: 3,
      success: 2,
      sla_colour: "RED",
      severity_weights: [
        { severity: "MINOR", count: 1 },
        { severity: "MAJOR", count: 1 },
        { severity: "CRITICAL", count: 1 },
      ],
      sla_ref: `http://localhost:8080/api/datasets/${dataset}/sla`,
    });
  });

  it("200 for a dataset without tests: yellow, and no score", async () => {
    const id = await seedEntity(database.db);
    expect((await of(id, "sla_report")).json).toMatchObject({ total: 0, sla_colour: "YELLOW" });
    expect((await of(id, "test_report")).json).toMatchObject({ total: 0, score: null });
    expect((await of(id, "dataqatests")).json)
      .toEqual({ items: [], page_info: { total: 0, hasNext: false } });
  });

  it("the latest run is the last to end, in whatever order runs arrive; a run of a job is none", async () => {
    const id = await seedEntity(database.db);
    const test = await seedTest(database.db, { of: [[id]], classes: [2, 4] });
    const run = (
      catrn: string,
      status: string,
      begun: number,
      ended: number | null,
      kind = "TEST",
    ) =>
      seedRun(database.db, test, {
        catrn: `//order/${catrn}`,
        kind: kind as "TEST",
        status,
        start: at(begun),
        end: ended === null ? null : at(ended),
      });
    const failing = async () => (await of(id, "test_report")).json.failed_total;
    await run("a", "FAILED", 1, 10);
    await run("b", "SUCCESS", 2, 9);
    expect(await failing()).toBe(1);
    await run("c", "SUCCESS", 3, 10);
    expect(await failing()).toBe(0);
    await run("d", "FAILED", 11, 12, "TRANSFORMER");
    expect(await failing()).toBe(0);
    await run("e", "FAILED", 11, null);
    expect(await failing()).toBe(1);
  });
});

describe("getDataEntityDataQATests", () => {
  it("200: live tests by id, each with its severity for this dataset", async () => {
    const { json } = await of(dataset, "dataqatests");
    expect(json.items.map((item: { external_name: string; severity: string }) => [
      item.external_name,
      item.severity,
    ])).toEqual([
      ["kept", "CRITICAL"],
      ["busy", "MAJOR"],
      ["minor", "MINOR"],
      ["skipped", "MAJOR"],
      ["begun", "MAJOR"],
      ["idle", "MAJOR"],
    ]);
    expect(json.items[1]).toMatchObject({
      latest_run: { status: "RUNNING" },
      suite_name: "suite",
      expectation: { category: "ASSERTION" },
    });
    const page = (await of(dataset, "dataqatests?page=2&size=4")).json;
    expect([page.items.length, page.page_info]).toEqual([2, { total: 6, hasNext: false }]);
  });
});

describe("setDataQATestSeverity", () => {
  const set = (id: number, test: number, severity: unknown = "MINOR") =>
    api.put(`/api/datasets/${id}/dataqatests/${test}/severity`, { severity });

  it("200: for this dataset alone; elsewhere a test shows what it matters most", async () => {
    const [one, other] = [await seedEntity(database.db), await seedEntity(database.db)];
    const test = await seedTest(database.db, { of: [[one], [other]], runs: ["FAILED"] });
    const answer = await set(one, test, "CRITICAL");
    expect([answer.status, answer.json.id, answer.json.severity]).toEqual([200, test, "CRITICAL"]);
    expect((await set(other, test)).json.severity).toBe("MINOR");
    expect((await of(one, "sla_report")).json.sla_colour).toBe("RED");
    expect((await of(other, "sla_report")).json.sla_colour).toBe("YELLOW");
    const [row] = await database.db.query("SELECT test_severity($1) AS severity", [test]);
    expect(row).toEqual({ severity: "CRITICAL" });
  });

  it("two at once end in one of the two", async () => {
    const test = await seedTest(database.db, { of: [[dataset]] });
    const answers = await Promise.all(
      (["MINOR", "CRITICAL"] as const).map((severity) => set(dataset, test, severity)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await database.db.query(
      "SELECT severity FROM dataset_test_severity WHERE test_id = $1",
      [test],
    );
    expect(rows).toHaveLength(1);
    await database.db.query("DELETE FROM test_dataset WHERE test_id = $1", [test]);
  });

  it("404 for what does not test the dataset, and for deleted and hollow tests; nothing is stored", async () => {
    const stranger = await seedTest(database.db, { of: [[await seedEntity(database.db)]] });
    const gone = await seedTest(database.db, { of: [[dataset]], status: 5 });
    const hollow = await seedEntity(database.db, { hollow: true });
    for (const test of [stranger, gone, hollow, dataset, 999_999_999]) {
      expect((await set(dataset, test)).status, String(test)).toBe(404);
    }
    expect((await set(999_999_999, stranger)).status).toBe(404);
    const rows = await database.db.query(
      "SELECT FROM dataset_test_severity WHERE test_id = ANY($1)",
      [[stranger, gone, hollow, dataset]],
    );
    expect(rows).toHaveLength(0);
  });

  it.each(["BLOCKER", "minor", null, 1, undefined])(
    "400 names the severity %s",
    async (severity) => {
      const answer = await api.put(`/api/datasets/${dataset}/dataqatests/1/severity`, { severity });
      expect([answer.status, answer.json.details[0].field]).toEqual([400, "severity"]);
    },
  );
});

describe("getSLA", () => {
  it("200: PNG, or SVG where asked for; 304 for who has it", async () => {
    const png = await of(dataset, "sla");
    expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
    const svg = await of(dataset, "sla?format=svg");
    expect(svg.headers.get("content-type")).toBe("image/svg+xml");
    expect(svg.text).toContain("SLA RED: 2 of 3 tests succeeded");
    const path = `/api/datasets/${dataset}/sla`;
    const preferred = await api.send("GET", path, undefined, { accept: "image/svg+xml" });
    expect(preferred.text).toBe(svg.text);
    const headers = { "if-none-match": png.headers.get("etag")! };
    expect((await api.send("GET", path, undefined, headers)).status).toBe(304);
  });

  it("400 names an unknown format", async () => {
    const answer = await of(dataset, "sla?format=gif");
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "format"]);
  });
});

it("404 for an unknown, a hollow and another kind of entity; a deleted dataset can be read", async () => {
  const hollow = await seedEntity(database.db, { hollow: true });
  const job = await seedEntity(database.db, { type: "JOB" });
  const gone = await seedEntity(database.db, { status: 5 });
  for (const path of ["sla", "sla_report", "test_report", "dataqatests"]) {
    for (const id of [hollow, job, 999_999_999]) {
      expect((await of(id, path)).status, `${path} ${id}`).toBe(404);
    }
    expect((await of(gone, path)).status, path).toBe(200);
  }
});
