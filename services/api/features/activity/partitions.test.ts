import { afterAll, beforeAll, expect, it } from "vitest";
import { pageStatement, pageValues } from "#services/api/features/activity/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await testDatabase();
  for (const time of ["2026-01-15", "2026-03-05", "2026-03-25", "2026-06-15"]) {
    await t.db.query("SELECT activity_partition($1, 30)", [time]);
  }
});
afterAll(() => t.drop());

it("looks only into the partitions of the period, and from the cursor back", async () => {
  const filter = {
    begin_date: "2026-01-01T00:00:00Z",
    end_date: "2026-07-01T00:00:00Z",
    user_ids: [],
    usernames: [],
    username: [],
    size: 10,
  };
  const read = async (values: unknown[]) => {
    const [row] = await t.db.query(`EXPLAIN (FORMAT JSON) ${pageStatement.text}`, values);
    const names = JSON.stringify(row).matchAll(/"Relation Name":"(activity_\w+)"/g);
    return [...new Set([...names].map((name) => name[1]!))].sort();
  };
  const all = await read(pageValues(null, filter, 7));
  const names = await t.db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'activity'::regclass ORDER BY 1`,
  );
  expect(names.length).toBeGreaterThan(all.length);
  const narrow = {
    ...filter,
    begin_date: "2026-03-05T00:00:00Z",
    end_date: "2026-03-06T00:00:00Z",
  };
  const [only, ...others] = await read(pageValues(null, narrow, 7));
  expect([only, others]).toEqual([expect.stringMatching(/^activity_\d{8}_30$/), []]);
  const late = { ...filter, last_event_date_time: "2026-02-01T00:00:00Z", last_event_id: 9 };
  const before = await read(pageValues(null, late, 7));
  expect(before.length).toBeLessThan(all.length);
  expect(all).toEqual(expect.arrayContaining(before));
});
