import { describe, expect, it } from "vitest";
import type { EdgePair, LineageGraph, WalkRequest } from "#graph/port.ts";
import {
  ask,
  type GraphUnderTest,
  seedShape,
  spelled,
} from "#test/support/engines/lineage-graph.ts";
import { referenceDegrees, referenceWalk } from "#test/support/seed/lineage-reference.ts";
import { seeded } from "#test/support/random.ts";

const entities = 60;

/** Clauses on random graphs: every engine answers what a plain breadth-first search in memory answers. */
export function randomClauses(under: () => GraphUnderTest): void {
  describe("random graphs", () => {
    it.each([11, 12, 13, 14])(
      "walk agrees with a plain breadth-first search in memory (seed %i)",
      async (seed) => {
        const random = seeded(seed);
        const below = (n: number) => Math.floor(random() * n);
        const shape = distinct(
          Array.from({ length: 40 + below(160) }, (): [number, number] => [
            below(entities),
            below(entities),
          ]),
        );
        const ids = await seedShape(under().db, entities, shape);
        await under().settle();
        const edges = shape.map(([p, c]): EdgePair => [ids[p]!, ids[c]!]);
        for (let i = 0; i < 25; i++) {
          const roots = Array.from({ length: 1 + below(3) }, () => ids[below(entities)]!);
          const request = ask([...new Set(roots)], {
            direction: random() < 0.5 ? "upstream" : "downstream",
            depth: [1, 2, 3, 5, 50][below(5)]!,
            maxNodes: [3, 10, 30, 1_000][below(4)]!,
          });
          await agrees(under().graph, edges, request);
        }
      },
    );
  });
}

async function agrees(graph: LineageGraph, edges: EdgePair[], request: WalkRequest) {
  const walk = await graph.walk(request);
  const expected = referenceWalk(edges, request);
  const question = JSON.stringify(request);
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect([question, spelled(walk.edges)]).toEqual([question, spelled(expected.edges)]);
  expect([question, (walk.truncated?.at ?? []).toSorted(byId)])
    .toEqual([question, expected.at.toSorted(byId)]);
  for (const id of new Set(walk.edges.flat())) {
    expect([id, walk.degrees.get(id)]).toEqual([id, referenceDegrees(edges, id)]);
  }
}

function distinct(edges: [number, number][]): [number, number][] {
  return [...new Map(edges.map((e) => [e.join(">"), e])).values()];
}
