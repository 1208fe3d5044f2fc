import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { Database } from "#metadata/postgres/database.ts";
import { graphConformance } from "#test/conformance/graph.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { ask, seedShape, within } from "#test/support/engines/lineage-graph.ts";

graphConformance("postgres", async () => {
  const { db, drop } = await testDatabase();
  return {
    graph: new PostgresGraph(db),
    db,
    settle: () => Promise.resolve(),
    close: drop,
  };
});

describe("PostgresGraph", () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(() => test.drop());

  it.each([[true, "lineage_edge_out"], [false, "lineage_edge_in"]])(
    "walks by the index of its direction alone, without statistics too (downstream: %s)",
    async (downstream, index) => {
      await seedShape(test.db, 5_001, Array.from({ length: 5_000 }, (_, i) => [i, i + 1]));
      const plan = await test.db.transaction(async (tx) => {
        for (const off of ["seqscan", "bitmapscan", "hashjoin", "mergejoin"]) {
          await tx.query(`SET LOCAL enable_${off} = off`);
        }
        const rows = await tx.query<{ "QUERY PLAN": string }>(
          `EXPLAIN SELECT * FROM lineage_levels('{1}', ${downstream}, 9, 99, now())`,
        );
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      expect(plan.match(/lineage_edge_\w+/g)).toEqual([index]);
      expect(plan).toContain("Index Only Scan");
      expect(plan).not.toContain("Seq Scan");
    },
  );

  it("unreachable engine: a walk answers 503 with Retry-After in time", async () => {
    const db = new Database({
      url: "postgres://nobody:nothing@127.0.0.1:1/none",
      max: 1,
      statementTimeoutMs: 1_000,
      applicationName: "test",
    });
    const failed = await within(2_000, () => new PostgresGraph(db).walk(ask([1])).catch((e) => e));
    expect(failed).toMatchObject({ name: "AppError", status: 503 });
    expect(failed.retryAfter).toBeGreaterThan(0);
    await db.close();
  });
});
