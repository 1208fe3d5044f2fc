import { expect, it } from "vitest";
import { AlertImpactList, maxAlertImpacts } from "#contract/catalogue/alerts.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { severityOf } from "#services/api/features/alerts/service.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(alertRoutes);

const impactsOf = async (...ids: number[]) =>
  AlertImpactList.parse((await api.get(`/api/alerts/impact?alert_ids=${ids.join()}`)).json).items;

it.each(
  [
    [{ total: 0, consumers: 0 }, "LOW"],
    [{ total: 1, consumers: 0 }, "MEDIUM"],
    [{ total: 2, consumers: 1 }, "HIGH"],
    [{ total: 20, consumers: 0 }, "HIGH"],
    [{ total: 5, consumers: 5 }, "CRITICAL"],
    [{ total: 100, consumers: 0 }, "CRITICAL"],
  ] as const,
)("%j is %s", (affected, severity) => expect(severityOf(affected)).toBe(severity));

it("getAlertImpacts 200: counts what is downstream, in the order of the request", async () => {
  const { db } = database;
  const [table, job, dashboard, lost, leaf] = [
    await seed.seedEntity(db),
    await seed.seedEntity(db, { type: "JOB" }),
    await seed.seedEntity(db, { type: "DASHBOARD" }),
    await seed.seedEntity(db, { status: 5 }),
    await seed.seedEntity(db),
  ];
  const links = [[table, job], [job, dashboard], [dashboard, table], [table, lost]] as const;
  for (const [from, to] of links) await seed.seedEdge(db, from, to);
  const [low, high, unshown] = [
    await seed.seedAlert(db, leaf),
    await seed.seedAlert(db, table),
    await seed.seedAlert(db, lost),
  ];
  const unaffected = { affected_total: 0, affected_consumers: 0, affected_at_least: false };
  expect(await impactsOf(high, unshown, low, 999_999, high)).toEqual([
    {
      alert_id: high,
      severity: "HIGH",
      affected_total: 2,
      affected_consumers: 1,
      affected_at_least: false,
      silence: null,
    },
    { alert_id: low, severity: "LOW", ...unaffected, silence: null },
  ]);
});

it("getAlertImpacts 200: an alert of a source as such affects its assets", async () => {
  const { db } = database;
  const sourceId = await seed.seedSource(db);
  await seed.seedEntity(db, { sourceId });
  await seed.seedEntity(db, { sourceId, type: "DASHBOARD" });
  const alert = await seed.seedAlert(db, null, { type: 5 });
  await db.query("UPDATE alert SET data_source_id = $2 WHERE id = $1", [alert, sourceId]);
  expect(await impactsOf(alert)).toMatchObject([
    { affected_total: 2, affected_consumers: 1, severity: "HIGH" },
  ]);
});

it("getAlertImpacts 200: the longest silence that an alert meets, with its end and author", async () => {
  const { db } = database;
  const entity = await seed.seedEntity(db);
  const alert = await seed.seedAlert(db, entity);
  const silence = (until: string, type: number | null) =>
    db.query(
      "INSERT INTO silence (entity_id, alert_type, until, comment, created_by) VALUES ($1, $2, $3, 'moved', 'ada')",
      [entity, type, until],
    );
  await silence("2999-01-01T00:00:00Z", null);
  await silence("2998-01-01T00:00:00Z", 1);
  await silence("3000-01-01T00:00:00Z", 2);
  await silence("2020-01-01T00:00:00Z", null);
  expect((await impactsOf(alert))[0]!.silence).toMatchObject({
    until: "2999-01-01T00:00:00.000Z",
    created_by: "ada",
    comment: "moved",
  });
});

it("getAlertImpacts 400: more alerts than may be asked for at once", async () => {
  const ids = Array.from({ length: maxAlertImpacts + 1 }, (_, at) => at + 1);
  const answer = await api.get(`/api/alerts/impact?alert_ids=${ids.join()}`);
  expect(answer.status).toBe(400);
});
