import { expect } from "vitest";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import * as seed from "#test/support/seed/seed.ts";

/** A small shop to search in, and the calls that the search tests share. */
export async function searchFixture() {
  const database = await testDatabase();
  const context = testContext(database);
  const api = testApi(searchRoutes(context), context);
  return {
    database,
    context,
    api,
    ids: await seedShop(database),
    ...calls(api, database),
    async close() {
      await context.wakeups.close();
      await database.drop();
    },
  };
}

async function seedShop({ db }: TestDatabase): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  const shop = await seed.seedSource(db, { name: "shop", namespace: "sales" });
  const audit = await seed.seedSource(db, { name: "audit", namespace: "finance" });
  ids.orders = await seed.seedEntity(db, { sourceId: shop, name: "sales.order_items" });
  ids.job = await seed.seedEntity(db, { sourceId: shop, name: "order loader", type: "JOB" });
  ids.told = await seed.seedEntity(db, {
    sourceId: audit,
    name: "ledger",
    externalDescription: "what an order becomes",
  });
  ids.gone = await seed.seedEntity(db, { sourceId: shop, name: "order archive", status: 5 });
  ids.excluded = await seed.seedEntity(db, { name: "order part", excluded: true });
  ids.domain = await seed.seedEntity(db, { name: "Commerce", type: "DOMAIN", manual: true });
  await seed.seedMember(db, ids.domain, ids.orders, "MANUAL");
  await seed.seedMember(db, ids.domain, ids.orders, "LIST");
  await seed.seedTag(db, ids.orders, "pii");
  await seed.seedTag(db, ids.orders, "pii", { origin: "INTERNAL" });
  await seed.seedTag(db, ids.told, "pii");
  await seed.seedTag(db, ids.job, "nightly");
  await seed.seedOwnership(db, ids.orders, "Data Team", "steward");
  await db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
  return ids;
}

function calls(api: TestApi, { db }: TestDatabase) {
  const start = (form: Record<string, unknown>) =>
    api.post("/api/search", { filters: {}, ...form });
  return {
    start,
    /** Starts a search; returns its id. */
    async begin(form: Record<string, unknown>): Promise<string> {
      return (await start(form)).json.search_id;
    },
    /** The ids that a search finds. */
    async found(id: string): Promise<number[]> {
      const { status, json } = await api.get(`/api/search/${id}/results?page=1&size=50`);
      expect(status).toBe(200);
      return json.items.map((item: { id: number }) => item.id);
    },
    /** The values that a facet offers. */
    async values(id: string, facet: string, more = ""): Promise<{ name: string; count: number }[]> {
      return (await api.get(`/api/search/${id}/facet/${facet}?page=1&size=50${more}`)).json;
    },
    /** The id of a row by its name. */
    async idOf(table: string, name: string): Promise<number> {
      const statement = `SELECT id FROM ${table} WHERE name = $1`;
      return (await db.query<{ id: number }>(statement, [name]))[0]!.id;
    },
  };
}

/** One facet value in a search form. */
export const chosen = (entity_id: number, selected = true) => [{ entity_id, selected }];
