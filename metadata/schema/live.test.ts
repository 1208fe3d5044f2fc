import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.drop());

/** The query plan when full table scans are the planner's last resort. */
function plan(query: string): Promise<string> {
  return test.db.transaction(async (tx) => {
    await tx.query("SET LOCAL enable_seqscan = off");
    const rows = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) ${query}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

it.each([
  [
    "data_entity_listed",
    "NOT hollow AND NOT excluded_from_search AND is_live(status) ORDER BY id LIMIT 10",
  ],
  ["data_entity_deleted", "NOT is_live(status) AND status_updated_at < now()"],
])("is_live: the planner inlines it, so the index %s serves", async (index, condition) => {
  const text = await plan(`SELECT id FROM data_entity WHERE ${condition}`);
  expect(text).toContain(index);
  expect(text).not.toContain("is_live");
});
