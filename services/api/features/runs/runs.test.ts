import { beforeAll, expect, test } from "vitest";
import { DataEntityRunList } from "#contract/catalogue/entity.ts";
import { runRoutes } from "#services/api/features/runs/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedRun } from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(runRoutes);
let job: number;

beforeAll(async () => {
  job = await seedEntity(database.db, { type: "JOB" });
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  await seedRun(database.db, job, { catrn: "//r/a", start: day(1), end: day(5) });
  await seedRun(database.db, job, { catrn: "//r/b", start: day(4), status: "RUNNING" });
  await seedRun(database.db, job, {
    catrn: "//r/c",
    start: day(2),
    end: day(5),
    status: "FAILED",
    reason: "no space",
    metadata: { engine: "spark" },
  });
  const other = await seedEntity(database.db, { type: "JOB" });
  await seedRun(database.db, other, { catrn: "//r/other", start: day(9) });
});

const catrns = (items: { catrn: string }[]) => items.map((run) => run.catrn);

test("getRuns 200: the last to end first, ties by CATRN, a running one by its start", async () => {
  const answer = await api.get(`/api/dataentities/${job}/runs?page=1&size=2`);
  expect(answer.status).toBe(200);
  const list = DataEntityRunList.parse(answer.json);
  expect(catrns(list.items)).toEqual(["//r/c", "//r/a"]);
  expect(list.page_info).toEqual({ total: 3, hasNext: true });
  expect(list.items[0]).toMatchObject({
    data_entity_id: job,
    status: "FAILED",
    status_reason: "no space",
    end_time: "2026-01-05T00:00:00.000Z",
    metadata: { engine: "spark" },
  });
  expect(list.items[1]!.metadata).toBeNull();
  const next = await api.get(`/api/dataentities/${job}/runs?page=2&size=2`);
  expect(catrns(next.json.items)).toEqual(["//r/b"]);
  expect(next.json.items[0].end_time).toBeNull();
  expect(next.json.page_info.hasNext).toBe(false);
});

test("getRuns 200: only those of a status", async () => {
  const answer = await api.get(`/api/dataentities/${job}/runs?page=1&size=9&status=RUNNING`);
  expect(catrns(answer.json.items)).toEqual(["//r/b"]);
  expect(answer.json.page_info.total).toBe(1);
});

test("getRuns 200: an entity without runs, and one that is deleted", async () => {
  const none = await seedEntity(database.db, { status: 5 });
  const answer = await api.get(`/api/dataentities/${none}/runs?page=1&size=9`);
  expect(answer.json).toEqual({ items: [], page_info: { total: 0, hasNext: false } });
});

test("getRuns 404: unknown and hollow", async () => {
  const hollow = await seedEntity(database.db, { hollow: true });
  for (const id of [hollow, 999_999_999]) {
    expect((await api.get(`/api/dataentities/${id}/runs?page=1&size=9`)).status).toBe(404);
  }
});

test("getRuns 400: an unknown status, no paging", async () => {
  const wrong = await api.get(`/api/dataentities/${job}/runs?page=1&size=9&status=DONE`);
  expect(wrong.status).toBe(400);
  expect(wrong.json.details[0].field).toContain("status");
  expect((await api.get(`/api/dataentities/${job}/runs`)).status).toBe(400);
});
