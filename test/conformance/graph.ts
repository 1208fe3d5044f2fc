import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LineageGraph } from "#graph/port.ts";
import {
  type LineageCase,
  lineageScenarios,
  walkedEdges,
} from "#test/support/seed/lineage-cases.ts";
import { ask, type GraphUnderTest, spelled } from "#test/support/engines/lineage-graph.ts";
import { seedScenario } from "#test/support/seed/lineage-seed.ts";
import { randomClauses } from "#test/conformance/graph-random.ts";
import { shapeClauses } from "#test/conformance/graph-shapes.ts";

/** What every lineage graph promises to those who ask; `open` is called once. */
export function graphConformance(
  engine: LineageGraph["engine"],
  open: () => Promise<GraphUnderTest>,
): void {
  describe(`lineage graph on ${engine}`, () => {
    let under: GraphUnderTest;
    beforeAll(async () => void (under = await open()));
    afterAll(() => under?.close());

    it("names its engine and answers a ping", async () => {
      expect(under.graph.engine).toBe(engine);
      await under.graph.ping(2_000);
    });
    for (const scenario of lineageScenarios()) {
      describe(scenario.scenario, () => {
        let ids: Map<string, number>;
        beforeAll(async () => {
          ({ ids } = await seedScenario(under.db, scenario));
          await under.settle();
        });
        for (const lineageCase of scenario.cases) {
          it(`walk from ${lineageCase.root}: ${lineageCase.name}`, () =>
            answers(under.graph, ids, lineageCase));
        }
      });
    }
    shapeClauses(() => under);
    randomClauses(() => under);
  });
}

/** The port's part of a case: edges, truncation, and the counts of entities that an edge ends at. */
async function answers(graph: LineageGraph, ids: Map<string, number>, lineageCase: LineageCase) {
  const roots = (lineageCase.walk.roots ?? [lineageCase.root]).map((name) => ids.get(name)!);
  const walk = await graph.walk(ask(roots, {
    direction: lineageCase.direction,
    depth: lineageCase.depth,
    maxNodes: lineageCase.max_nodes,
    timeoutMs: lineageCase.timeout_ms,
  }));
  const expected = walkedEdges(lineageCase).map((e) => `${e.parent}>${e.child}`).sort();
  expect(spelled(walk.edges, ids)).toEqual(expected);
  for (const id of walk.edges.flat()) expect(walk.degrees.has(id)).toBe(true);
  if (lineageCase.answer === 404) return;
  for (const [name, counts] of Object.entries(lineageCase.answer.counts)) {
    if (counts === null) continue;
    const [parents, children] = counts;
    expect([name, walk.degrees.get(ids.get(name)!)]).toEqual([name, { parents, children }]);
  }
  const { truncated } = lineageCase.answer;
  const at = Object.entries(truncated?.at ?? {});
  const found = walk.truncated && {
    reason: walk.truncated.reason,
    at: walk.truncated.at.toSorted((a, b) => a.id - b.id),
  };
  expect(found).toEqual(
    truncated && {
      reason: truncated.reason,
      at: at.map(([name, remainingDepth]) => ({ id: ids.get(name), remainingDepth }))
        .sort((a, b) => a.id! - b.id!),
    },
  );
}
