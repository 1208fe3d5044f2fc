import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApiLineage, fromLineage, type LineageFragment } from "#web/graph/answers.ts";
import { fromDiffs } from "#web/graph/further-answers.ts";
import { answer, apiNode } from "#web/graph/testing/models.ts";
import { impactOf } from "#web/features/lineage/impact-rows.ts";
import { modelOf, type Piece } from "#web/features/lineage/fragments.ts";

type Pair = [source: number, target: number];

const piece = (loaded: LineageFragment, more: Partial<Piece> = {}): Piece => ({
  loaded,
  position: 1,
  truncated: null,
  ...more,
});
const around = (pairs: Pair[], root: number, depth: number) =>
  fromLineage(answer(pairs, root, "upstream", depth), answer(pairs, root, "downstream", depth));

/** Breadth first over the edges themselves, in words of the table. */
function expected(pairs: readonly Pair[], roots: number[], id: number): string {
  const hops = (near: 0 | 1) => {
    const found = new Map(roots.map((root) => [root, 0]));
    for (const [at, steps] of found) {
      for (const pair of pairs) {
        const next = pair[near === 0 ? 1 : 0];
        if (pair[near] === at && !found.has(next)) found.set(next, steps + 1);
      }
    }
    return found.get(id) ?? null;
  };
  const [down, up] = [hops(0), hops(1)];
  if (down === 0) return "root 0";
  if (down === null && up === null) return "beside null";
  const side = up === null ? "downstream" : down === null ? "upstream" : "both";
  return `${side} ${Math.min(down ?? Infinity, up ?? Infinity)}`;
}

const rowsOf = (...given: Parameters<typeof impactOf>) =>
  Object.fromEntries(
    impactOf(...given).rows.map(({ node, side, distance }) => [node.id, `${side} ${distance}`]),
  );

const graph = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { minLength: 1, maxLength: 40 })
  .map((pairs): Pair[] => [...new Map(pairs.map((pair) => [pair.join(), pair])).values()]);

describe("impact", () => {
  it("is a breadth-first search over the edges, in graphs with cycles", () => {
    fc.assert(fc.property(graph, fc.nat(11), (pairs, root) => {
      const all = rowsOf([piece(around(pairs, root, 99))]);
      for (const [id, row] of Object.entries(all)) {
        expect(row).toBe(expected(pairs, [root], Number(id)));
      }
    }));
  });

  it("is the same for what was opened on from other entities, however far around", () => {
    fc.assert(
      fc.property(graph, fc.nat(11), fc.array(fc.nat(11)), (pairs, root, opened) => {
        const pieces = [
          piece(around(pairs, root, 1)),
          ...opened.map((id) => piece({ ...around(pairs, id, 2), roots: [] })),
        ];
        const all = rowsOf(pieces, [piece(around(pairs, root, 99))]);
        for (const [id, row] of Object.entries(all)) {
          expect(row).toBe(expected(pairs, [root], Number(id)));
        }
        const shown = modelOf(pieces, []).nodes.keys();
        expect(Object.keys(all).map(Number).sort()).toEqual([...shown].sort());
      }),
    );
  });

  it("begins at the members of a group, also of groups within it", () => {
    const pairs: Pair[] = [[1, 2], [2, 3], [4, 5]];
    const groups = new Map([[2, [10]], [4, [11]]]);
    const lineage = (side: "upstream" | "downstream", root: number): ApiLineage["upstream"] => {
      const stream = answer(pairs, root, side, 9)[side]!;
      return {
        ...stream,
        nodes: stream.nodes.map((node) => ({ ...node, group_id_list: groups.get(node.id) ?? [] })),
        groups: [apiNode(10), apiNode(11, { group_id_list: [10] })],
      };
    };
    const pieces = [2, 4].flatMap((root) =>
      (["upstream", "downstream"] as const).map((side) =>
        piece(fromLineage({ root: apiNode(10), [side]: lineage(side, root) }))
      )
    );
    expect(rowsOf(pieces)).toEqual({
      1: "upstream 1",
      2: "root 0",
      3: "downstream 1",
      4: "root 0",
      5: "downstream 1",
      10: "root 0",
    });
  });

  it("takes no way that is partly of one time and partly of another", () => {
    const node = (id: number, change: "came" | "left" | "same") => ({ ...apiNode(id), change });
    const edge = (source_id: number, target_id: number, change: "added" | "removed" | "same") => ({
      source_id,
      target_id,
      change,
    });
    const diff = fromDiffs({
      root: apiNode(1),
      nodes: [node(1, "same"), node(2, "came"), node(3, "same"), node(4, "left"), node(5, "same")],
      edges: [
        edge(1, 2, "added"),
        edge(2, 3, "added"),
        edge(1, 5, "same"),
        edge(5, 3, "removed"),
        edge(3, 4, "removed"),
        edge(2, 4, "removed"),
      ],
    });
    expect(rowsOf([piece(diff)])).toEqual({
      1: "root 0",
      2: "downstream 1",
      3: "downstream 2",
      4: "downstream 3",
      5: "downstream 1",
    });
  });

  it("is complete only when every answer is there and none was cut", () => {
    const one = piece(around([[1, 2]], 1, 1));
    expect(impactOf([one], [one]).complete).toBe(true);
    expect(impactOf([one], [piece(one.loaded, { truncated: "nodes" })]).complete).toBe(false);
    expect(impactOf([one, undefined]).complete).toBe(false);
  });
});
