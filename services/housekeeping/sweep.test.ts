import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepHollow } from "./purge.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { seedAlert } from "#test/support/seed/seed.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

describe("sweepHollow", () => {
  it("removes hollow entities that nothing names, older than the cutoff, walking by id", async () => {
    const ids = await insertEntities(t.db, [
      { name: "idle", hollow: true },
      { name: "exact", hollow: true },
      { name: "used", hollow: true },
      "child",
    ]);
    const { idle, exact, used, child } = ids;
    await insertEdges(t.db, [[child!, used!, child!]]);
    const cutoff = new Date("2031-01-01T00:00:00.000Z");
    await t.db.query("UPDATE data_entity SET updated_at = $2 WHERE id = $1", [exact, cutoff]);
    await t.db.query("UPDATE data_entity SET updated_at = '2030-01-01' WHERE id = ANY($1)", [
      [idle, used],
    ]);
    let next: number | null = idle! - 1;
    let removed = 0;
    while (next !== null) {
      const swept = await sweepHollow(t.db, cutoff, next, 1);
      removed += swept.removed;
      next = swept.next;
    }
    expect(removed).toBe(1);
    const left = await t.db.query<{ id: number }>(
      "SELECT id FROM data_entity WHERE id = ANY($1) ORDER BY id",
      [[idle, exact, used, child]],
    );
    expect(left.map((row) => row.id)).toEqual([exact, used, child]);
  });

  it("keeps a hollow entity that an alert names, as long as the alert is stored", async () => {
    const { named } = await insertEntities(t.db, [{ name: "named", hollow: true }]);
    const alert = await seedAlert(t.db, named!, { type: 4, status: 2 });
    const sweep = () => sweepHollow(t.db, new Date("2090-01-01T00:00:00Z"), named! - 1, 1);
    expect((await sweep()).removed).toBe(0);
    await t.db.query("DELETE FROM alert WHERE id = $1", [alert]);
    expect((await sweep()).removed).toBe(1);
  });
});
