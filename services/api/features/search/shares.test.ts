import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { chosen, searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { maxBytesOfCaller, maxOfCaller } from "#services/api/search/sessions.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
beforeAll(async () => void (at = await searchFixture()));
afterAll(() => at.close());
beforeEach(() => at.database.db.query("TRUNCATE search_session").then(() => {}));

const as = (who: string) => testApi(calledBy(who, searchRoutes(at.context)), at.context);
const begin = async (who: string): Promise<string> =>
  (await as(who).post("/api/search", { query: "order", filters: {} })).json.search_id;
const counts = async (): Promise<number[]> =>
  (await at.database.db.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM search_session GROUP BY share ORDER BY n DESC",
  )).map(({ n }) => n);
/** Older sessions of whoever made this one. */
const seedOlder = (id: string, number: number, bytes: number) =>
  at.database.db.query(
    `INSERT INTO search_session (id, family, state, share, personal, bytes, last_accessed)
     SELECT gen_random_uuid(), family, state, share, personal, $3, now() - n * interval '1 minute'
       FROM search_session, generate_series(1, $2::integer) n WHERE id = $1`,
    [id, number, bytes],
  );

describe("a search of somebody who has signed in", () => {
  it("is changed by nobody else: 403; whoever knows its id may read it", async () => {
    const id = await begin("ada");
    const change = { query: "ledger", filters: { statuses: chosen(1) } };
    const refused = await as("mallory").put(`/api/search/${id}`, change);
    expect([refused.status, refused.json.message]).toEqual([
      403,
      `Search ${id} is somebody else's: start one of your own`,
    ]);
    expect((await as("mallory").get(`/api/search/${id}`)).json.query).toBe("order");
    expect((await as("ada").put(`/api/search/${id}`, change)).json.query).toBe("ledger");
  });

  it("one that nobody signed in for, or of an older release, is changed by whoever knows its id", async () => {
    const id = await at.begin({ query: "order" });
    expect((await as("ada").put(`/api/search/${id}`, { filters: {} })).status).toBe(200);
    await at.database.db.query("UPDATE search_session SET share = NULL WHERE id = $1", [id]);
    expect((await as("bob").put(`/api/search/${id}`, { filters: {} })).status).toBe(200);
  });
});

describe("searches of one caller", () => {
  it("are retained up to a number, the newest; those of others stay", async () => {
    await begin("ada");
    await seedOlder(await begin("mallory"), maxOfCaller + 20, 10);
    const id = await begin("mallory");
    expect(await counts()).toEqual([maxOfCaller, 1]);
    expect((await as("mallory").get(`/api/search/${id}`)).status).toBe(200);
  });

  it("are retained up to a number of bytes, also when one grows", async () => {
    const id = await begin("mallory");
    await seedOlder(id, 30, maxBytesOfCaller / 10);
    await as("mallory").put(`/api/search/${id}`, { query: "more", filters: {} });
    expect(await counts()).toEqual([1 + 9]);
    const [row] = await at.database.db.query<{ bytes: number }>(
      "SELECT bytes FROM search_session WHERE id = $1",
      [id],
    );
    expect(row!.bytes).toBeGreaterThan(10);
  });
});
