import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { seedShape } from "#test/support/engines/lineage-graph.ts";
import { sharedNeo4j } from "#test/support/engines/neo4j-graph.ts";
import { type CommandContext, graphCommand } from "./graph.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.drop());

async function run(
  graph: CommandContext["graph"],
  command: "verify" | "rebuild",
  isTTY = false,
): Promise<{ code: number; said: string }> {
  let said = "";
  const leases = new Leases(test.db, crypto.randomUUID());
  const context = { db: test.db, graph, leases, clock: systemClock, log: silentLogger };
  const code = await graphCommand(context, command, { isTTY, write: (text) => said += text });
  return { code, said };
}

describe("graphCommand", () => {
  it("says that there is nothing to do where the graph is inline, with exit code 0", async () => {
    const graph = new PostgresGraph(test.db);
    expect(await run(graph, "verify")).toMatchObject({
      code: 0,
      said: expect.stringContaining("nothing to compare"),
    });
    expect(await run(graph, "rebuild")).toMatchObject({
      code: 0,
      said: expect.stringContaining("nothing to rebuild"),
    });
  });

  if (distributed()) {
    it("verify exits 1 with the difference, 0 after a rebuild; a terminal sees a bar", async () => {
      const { graph, remove } = sharedNeo4j(test.name);
      try {
        const ids = await seedShape(test.db, 3, [[0, 1], [1, 2]]);
        await graph.ensureSchema();
        await graph.claim(1);
        const [row] = await test.db.query<{ head: number }>("SELECT lineage_head() AS head");
        await graph.apply(1, {
          position: row!.head,
          entities: ids,
          edges: [[ids[0]!, ids[1]!], [ids[2]!, ids[0]!]],
        });
        const before = await run(graph, "verify");
        expect(before.code).toBe(1);
        expect(before.said).toContain(`1 edges that the graph lacks:\n  ${ids[1]} -> ${ids[2]}\n`);
        expect(before.said).toContain(`should not have:\n  ${ids[2]} -> ${ids[0]}\n`);
        const rebuilt = await run(graph, "rebuild", true);
        expect(rebuilt).toMatchObject({
          code: 0,
          said: expect.stringMatching(/rebuild .*2 edges/),
        });
        expect(rebuilt.said).toContain("Rebuilt: 2 edges");
        const after = await run(graph, "verify");
        expect(after).toMatchObject({ code: 0, said: expect.stringContaining("They are equal.") });
        expect(after.said).not.toContain("\u001b");
      } finally {
        await remove();
      }
    });
  }
});
