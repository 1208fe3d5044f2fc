import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expiryRoutes } from "#services/api/features/expiry/routes.ts";
import { day, now, staleContext, StaleSource } from "#services/housekeeping/testing/stale.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testApi } from "#test/support/http/api.ts";

let t: TestDatabase;
let s: StaleSource;
beforeAll(async () => void (t = await testDatabase()));
beforeEach(async () => void (s = await StaleSource.make(t.db)));
afterAll(() => t.drop());

async function response(path: string, stale: Record<string, unknown> = {}) {
  const sources = [{ source: s.catrn, after: "10 d", act: "delete" }];
  const context = staleContext(t.db, { sources, ...stale }, []);
  return await testApi(expiryRoutes(context)).get(`/api/datasources/${path}`);
}
const expiry = async (stale?: Record<string, unknown>, query = "") =>
  (await response(`${s.id}/expiry${query}`, stale)).json;

describe("getDataSourceExpiry", () => {
  it("tells the policy, and what would expire, and lets nothing expire", async () => {
    await s.alive();
    const old = await s.seen(20 * day, { catrn: `${s.catrn}/old`, name: "old" });
    const outlook = await expiry({ every: "2 h", "dry-run": true });
    expect(outlook).toEqual({
      name: expect.any(String),
      catrn: s.catrn,
      policy: {
        source: s.catrn,
        act: "delete",
        after_hours: 240,
        every_hours: 2,
        dry_run: true,
      },
      outlook: {
        state: "due",
        live: 3,
        stale: 1,
        fuse: 20,
        approved: null,
        approved_until: null,
        seen_at: new Date(now - day).toISOString(),
        seen_earlier: true,
        seen_later: true,
      },
      items: [{
        id: old,
        catrn: `${s.catrn}/old`,
        name: "old",
        seen_at: new Date(now - 20 * day).toISOString(),
      }],
    });
    expect(await expiry()).toMatchObject({ outlook: { stale: 1 } });
  });

  it("tells that no policy names it", async () => {
    const none = { policy: null, outlook: null, items: [] };
    expect(await expiry({ sources: [] })).toMatchObject(none);
    const other = [{ source: "//collector/other", after: "10 d", act: "delete" }];
    expect(await expiry({ sources: other })).toMatchObject(none);
  });

  it("names what the fuse holds, as many as asked for, and until when an approval counts", async () => {
    await s.alive();
    await s.many(40);
    const outlook = await expiry(undefined, "?limit=3");
    expect(outlook).toMatchObject({ outlook: { state: "held", live: 42, stale: 40, fuse: 20 } });
    expect(outlook.items).toHaveLength(3);
    await s.approve(40, now - day / 2);
    expect((await expiry()).outlook).toMatchObject({
      state: "due",
      approved: 40,
      approved_until: new Date(now + day / 2).toISOString(),
    });
    await s.approve(20);
    expect((await expiry()).outlook).toMatchObject({ state: "held", approved: null });
  });

  it("tells of a silent source in which half it was not seen", async () => {
    await s.seen(day);
    await s.seen(20 * day);
    expect(await expiry()).toMatchObject({
      outlook: { state: "silent", stale: 1, seen_earlier: false, seen_later: true },
    });
    const edges = [{ source: s.catrn, after: "10 d", act: "edges" }];
    expect(await expiry({ sources: edges })).toMatchObject({
      policy: { act: "edges" },
      outlook: { state: "silent", stale: 0 },
      items: [],
    });
  });

  it("is 404 for an unknown source, and 400 for a limit beyond the largest", async () => {
    expect((await response("999999/expiry")).status).toBe(404);
    expect((await response(`${s.id}/expiry?limit=1001`)).status).toBe(400);
  });
});
