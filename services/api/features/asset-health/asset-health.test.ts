import { beforeAll, describe, expect, it } from "vitest";
import { AssetHealthList, maxHealths } from "#contract/catalogue/asset-health.ts";
import { assetHealthRoutes } from "#services/api/features/asset-health/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import type { RunStatus } from "#contract/entities.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";
import { seedField, seedRun, seedVersion } from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(assetHealthRoutes);
let sourceId: number;
beforeAll(async () => void (sourceId = await seed.seedSource(database.db)));

const make = (given: seed.SeedEntity = {}) => seed.seedEntity(database.db, { sourceId, ...given });
const minutesAgo = (count: number) => new Date(Date.now() - 60_000 * count).toISOString();

/** A finished run of a job. */
const ran = (job: number, status: RunStatus, ended: string) =>
  seedRun(database.db, job, {
    catrn: `//test/runs/${job}/${status}/${ended}`,
    kind: "TRANSFORMER",
    status,
    start: new Date(ended),
    end: new Date(ended),
  });

async function healthOf(...ids: number[]) {
  const answer = await api.get(`/api/dataentities/health?ids=${ids.join()}`);
  expect(answer.status, answer.text).toBe(200);
  return AssetHealthList.parse(answer.json).items;
}

describe("getDataEntitiesHealth", () => {
  it("200: owners and open alerts, in the order of the request; unknown and deleted ones have no item", async () => {
    const { db } = database;
    const [plain, owned, deleted] = [await make(), await make(), await make({ status: 5 })];
    await seed.seedOwnership(db, owned, "ann");
    await seed.seedOwnership(db, owned, "bob");
    await seed.seedAlert(db, owned);
    await seed.seedAlert(db, owned, { status: 2 });
    const items = await healthOf(owned, deleted, 999_999, plain, owned);
    expect(items).toMatchObject([
      { id: owned, open_alerts: 1, owners: [{ name: "ann" }, { name: "bob" }] },
      { id: plain, open_alerts: 0, owners: [], freshness: null },
    ]);
  });

  it("200: columns are those of the newest schema", async () => {
    const { db } = database;
    const table = await make();
    const fields = [];
    for (const name of ["a", "b", "c"]) {
      fields.push(await seedField(db, table, { catrn: `//test/columns/${name}` }));
    }
    await seedVersion(db, table, 1, fields.slice(0, 1));
    await seedVersion(db, table, 2, fields);
    expect((await healthOf(table))[0]!.columns_total).toBe(3);
  });

  it("200: freshness comes from the runs that succeeded of the jobs that write it", async () => {
    const { db } = database;
    const [table, job, other] = [
      await make(),
      await make({ type: "JOB" }),
      await make({ type: "JOB" }),
    ];
    await seed.seedEdge(db, job, table);
    await seed.seedEdge(db, table, other);
    for (const minutes of [1, 11, 21, 31]) await ran(job, "SUCCESS", minutesAgo(minutes));
    await ran(job, "FAILED", minutesAgo(5));
    await ran(other, "SUCCESS", minutesAgo(2));
    expect((await healthOf(table))[0]!.freshness, "four updates").toBeNull();
    await db.query("UPDATE data_entity SET source_updated_at = $2 WHERE id = $1", [
      table,
      minutesAgo(41),
    ]);
    expect((await healthOf(table))[0]!.freshness).toMatchObject({
      state: "FRESH",
      usual_gap_seconds: 600,
    });
    await db.query("UPDATE task_run SET end_time = end_time - interval '1 hour'");
    expect((await healthOf(table))[0]!.freshness).toMatchObject({ state: "LATE" });
  });

  it("200: of each test of a dataset the newest finished run counts", async () => {
    const { db } = database;
    const table = await make();
    await seedTest(db, { of: [[table]], runs: ["FAILED", "SUCCESS", "RUNNING"] });
    await seedTest(db, { of: [[table]], runs: ["SUCCESS", "FAILED"] });
    await seedTest(db, { of: [[table]] });
    expect((await healthOf(table))[0]!.tests).toEqual({
      total: 3,
      success_total: 1,
      failed_total: 1,
    });
  });

  it("200: the last run of a job is the one that ended last, or still runs", async () => {
    const job = await make();
    expect((await healthOf(job))[0]!.last_run).toBeNull();
    const failed = minutesAgo(10);
    await ran(job, "SUCCESS", minutesAgo(50));
    await ran(job, "FAILED", failed);
    await ran(job, "SUCCESS", minutesAgo(30));
    expect((await healthOf(job))[0]!.last_run).toEqual({
      status: "FAILED",
      at: failed,
    });
  });

  it("400: more ids than may be asked for at once", async () => {
    const ids = Array.from({ length: maxHealths + 1 }, (_, at) => at + 1);
    const answer = await api.get(`/api/dataentities/health?ids=${ids.join()}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`must hold at most ${maxHealths} values`);
  });
});
