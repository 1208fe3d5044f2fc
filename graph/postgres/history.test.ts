import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresHistory } from "#graph/postgres/history.ts";
import type { WalkRequest } from "#graph/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { graphConformance } from "#test/conformance/graph.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedShape } from "#test/support/engines/lineage-graph.ts";

/** Later than everything that a test writes. */
const later = () => new Date(Date.now() + 60_000);

/** A graph that walks the history as of a moment to come: it must answer as any graph of today does. */
class AsOfNow extends PostgresGraph {
  constructor(
    private readonly store: Database,
    private readonly history = new PostgresHistory(store),
  ) {
    super(store);
  }

  override async walk(request: WalkRequest) {
    const at = later();
    const there = await this.store.query<{ id: number }>(
      "SELECT entities_undeleted_at($1, $2) AS id",
      [request.roots, at],
    );
    return await this.history.walk({ ...request, roots: there.map(({ id }) => id) }, at);
  }

  override among(...[members, budget]: Parameters<PostgresGraph["among"]>) {
    return this.history.among(members, later(), budget);
  }
}

describe("the past as of now", () =>
  graphConformance("postgres", async () => {
    const { db, drop } = await testDatabase();
    // Scenarios are written straight into the tables, without what a deletion leaves behind.
    const settle = async () =>
      void await db.query(
        `INSERT INTO entity_deletion (entity_id, since)
         SELECT id, '2000-01-01' FROM data_entity WHERE status = 5 ON CONFLICT DO NOTHING`,
      );
    return { graph: new AsOfNow(db), db, settle, close: drop };
  }));

describe("a walk of the past", () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(() => test.drop());

  it.each([
    [true, ["lineage_edge_out", "lineage_edge_dead_out", "lineage_edge_history_out"]],
    [false, ["lineage_edge_in", "lineage_edge_dead_in", "lineage_edge_history_in"]],
  ])("meets the indexes of its direction alone (downstream: %s)", async (downstream, indexes) => {
    await seedShape(test.db, 5_001, Array.from({ length: 5_000 }, (_, i) => [i, i + 1]));
    // Hardly anything is estimated to have ended since, which is wrong just after much has ended.
    await test.db.query(
      `INSERT INTO lineage_edge_history (establisher_id, parent_id, child_id, since, until)
       SELECT establisher_id, parent_id, child_id, '2020-01-01', '2020-01-02' FROM lineage_edge`,
    );
    await test.db.query("ANALYZE lineage_edge_history");
    const plan = await test.db.transaction(async (tx) => {
      for (const off of ["seqscan", "bitmapscan", "hashjoin", "mergejoin"]) {
        await tx.query(`SET LOCAL enable_${off} = off`);
      }
      const rows = await tx.query<{ "QUERY PLAN": string }>(
        `EXPLAIN SELECT * FROM lineage_levels_at('{1}', ${downstream}, 9, 99, now(), now())`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    const endedIndex = "lineage_edge_history_until"; // asks once whether anything has ended since
    expect(new Set(plan.match(/using (lineage_edge_\w+)/g)))
      .toEqual(new Set([...indexes, endedIndex].map((index) => `using ${index}`)));
    expect(plan).not.toContain("Seq Scan");
  });
});
