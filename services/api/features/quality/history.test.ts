import { expect, it } from "vitest";
import { DataSetTestHistory } from "#contract/catalogue/quality.ts";
import { qualityRoutes } from "#services/api/features/quality/routes.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedRun } from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";
import type { RunStatus } from "#contract/entities.ts";

const { api, database } = featureUnderTest(qualityRoutes);
const day = 86_400_000;

it("getDatasetTestHistory 200: finished runs of its tests by day, of 30 days", async () => {
  const { db } = database;
  const table = await seed.seedEntity(db);
  const [one, other] = [
    await seedTest(db, { of: [[table]] }),
    await seedTest(db, { of: [[table]] }),
  ];
  await seedTest(db, { runs: ["FAILED"] });
  const noon = new Date().setUTCHours(0, 0, 0, 0);
  const ran = (test: number, status: RunStatus, daysAgo: number) =>
    seedRun(db, test, {
      catrn: `//run/${test}/${daysAgo}`,
      kind: "TEST",
      status,
      start: new Date(noon - daysAgo * day),
      end: status === "RUNNING" ? null : new Date(noon - daysAgo * day),
    });
  await ran(one, "SUCCESS", 2);
  await ran(other, "FAILED", 2);
  await ran(one, "BROKEN", 1);
  await ran(other, "RUNNING", 1);
  await ran(one, "SUCCESS", 29);
  await ran(one, "SUCCESS", 30);
  const { json } = await api.get(`/api/datasets/${table}/test_history`);
  const { days } = DataSetTestHistory.parse(json);
  expect(days).toHaveLength(30);
  expect(days.at(-3)).toMatchObject({ success: 1, failed: 1, other: 0 });
  expect(days.at(-2)).toMatchObject({ success: 0, failed: 0, other: 1 });
  const date = new Date(noon - 29 * day).toISOString().slice(0, 10);
  expect(days[0]).toEqual({ date, success: 1, failed: 0, other: 0 });
});

it("getDatasetTestHistory 404: what is no dataset", async () => {
  const job = await seed.seedEntity(database.db, { type: "JOB" });
  expect((await api.get(`/api/datasets/${job}/test_history`)).status).toBe(404);
});
