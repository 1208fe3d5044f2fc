import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { Alert } from "#contract/catalogue/alerts.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedAlert, seedEntity, seedSource } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(alertRoutes);
const alerts: Record<string, number> = {};

beforeAll(async () => {
  const { db } = database;
  const sourceId = await seedSource(db, { catrn: "//found/shop", name: "Shop database" });
  const stock = await seedEntity(db, { name: "fct_stock", sourceId, catrn: "//found/stock" });
  const orders = await seedEntity(db, { name: "fct_orders", sourceId });
  const gone = await seedEntity(db, { name: "fct_gone", status: 5 });
  alerts.broken = await seedAlert(db, stock, { type: 1 });
  alerts.failed = await seedAlert(db, stock, {
    type: 2,
    status: 2,
    chunks: ["fct_stock_is_fresh: newest row is 19 h old", "seit gestern überfällig"],
  });
  alerts.job = await seedAlert(db, orders, { type: 3, chunks: ["warehouse suspended"] });
  alerts.source = await seedAlert(db, null, { type: 5, chunks: ["no connection"] });
  await db.query("UPDATE alert SET data_source_id = $2 WHERE id = $1", [alerts.source, sourceId]);
  await seedAlert(db, gone, { type: 3, chunks: ["warehouse suspended"] });
  await db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
});

/** Names of the alerts that a query string finds, in order. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { json, status } = await api.get(`/api/alerts/list?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  const names = Object.keys(alerts);
  return z.array(Alert).parse(json).map(({ id }) => names.find((one) => alerts[one] === id)!)
    .sort();
}

it("getAlertsList 200: of one kind, which is not the view", async () => {
  expect(await found({ alert_type: "FAILED_JOB" })).toEqual(["job"]);
  expect(await found({ alert_type: "FAILED_DQ_TEST", status: "OPEN" })).toEqual([]);
  expect(await found({ alert_type: "FAILED_DQ_TEST", type: "ALL" })).toEqual(["failed"]);
});

it.each<[string, string[]]>([
  ["suspended", ["job"]],
  ["SUSP", ["job"]],
  ["uspended", []],
  ["fresh 19", ["failed"]],
  ["fct_stock_is", ["failed"]],
  ["überfällig", ["failed"]],
  ["stock", ["broken", "failed"]],
  ["fct", ["broken", "failed", "job"]],
  ["stock suspended", []],
  ["shop", ["source"]],
  ["//found/stock", ["broken", "failed"]],
  ["gone", []],
  ["...", []],
  ["  ", ["broken", "failed", "job", "source"]],
])("getAlertsList 200: found by %s", async (query, names) => {
  expect(await found({ query })).toEqual(names);
});

it("getAlertsList 200: the one alert of an id, whatever its status", async () => {
  expect(await found({ alert_id: String(alerts.failed) })).toEqual(["failed"]);
  expect(await found({ alert_id: String(alerts.failed), status: "OPEN" })).toEqual([]);
  expect(await found({ alert_id: "999999" })).toEqual([]);
});

it("getAlertCounts 200: as many as the list has", async () => {
  const count = async (query: string) =>
    (await api.get(`/api/alerts/counts?${query}`)).json.total_count;
  expect(await count("query=stock")).toBe(2);
  expect(await count("query=stock&alert_type=FAILED_DQ_TEST")).toBe(1);
  expect(await count("alert_type=AGENT_ERROR")).toBe(0);
});

it("words of what was said are looked up by their index", async () => {
  const plan = await database.db.transaction(async (tx) => {
    await tx.query("SET LOCAL enable_seqscan = off");
    return await tx.query(`EXPLAIN SELECT c.alert_id FROM alert_chunk c
      WHERE to_tsvector('simple', translate(left(c.description, 2000), '_./-@+&<', '        '))
            @@ search_query('suspended')`);
  });
  expect(JSON.stringify(plan)).toContain("alert_chunk_words");
});
