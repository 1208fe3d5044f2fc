import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyModel, modelOf, node } from "#web/graph/testing/models.ts";
import { walkable } from "#web/graph/adjacency.ts";
import { fullPath, hopsFrom, pathsBetween } from "#web/graph/walks.ts";

type Edges = { source: number; target: number }[];

/** All ids from `id` on, with steps, by trying every edge again and again. */
function reached(edges: Edges, id: number, near: "source" | "target", far: "source" | "target") {
  const steps = new Map([[id, 0]]);
  for (let more = true; more;) {
    more = false;
    for (const edge of edges) {
      const at = steps.get(edge[near]);
      if (at === undefined || (steps.get(edge[far]) ?? Infinity) <= at + 1) continue;
      steps.set(edge[far], at + 1);
      more = true;
    }
  }
  return steps;
}

const below = (edges: Edges, id: number) => reached(edges, id, "source", "target");
const above = (edges: Edges, id: number) => reached(edges, id, "target", "source");
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);
const indexesOf = (edges: Edges, holds: (edge: Edges[number]) => boolean) =>
  edges.flatMap((edge, at) => (holds(edge) ? [at] : []));

describe("walks, against trying everything", () => {
  const id = fc.nat(39);

  it("full path: all that feeds a node, and all that it feeds", () => {
    fc.assert(fc.property(anyModel, id, (model, start) => {
      const found = fullPath(walkable(model), start);
      if (!model.nodes.has(start)) return void expect(found.nodes.size).toBe(0);
      const [up, down] = [above(model.edges, start), below(model.edges, start)];
      expect(sorted(found.nodes)).toEqual(sorted(new Set([...up.keys(), ...down.keys()])));
      expect(sorted(found.edges)).toEqual(
        indexesOf(model.edges, ({ source, target }) => down.has(source) || up.has(target)),
      );
    }));
  });

  it("paths between two nodes, either way", () => {
    fc.assert(fc.property(anyModel, id, id, (model, a, b) => {
      const found = pathsBetween(walkable(model), a, b);
      if (!model.nodes.has(a) || !model.nodes.has(b)) return void expect(found.nodes.size).toBe(0);
      const nodes = new Set<number>();
      const edges = new Set<number>();
      for (const [from, to] of [[a, b], [b, a]] as const) {
        const [down, up] = [below(model.edges, from), above(model.edges, to)];
        if (!down.has(to)) continue;
        for (const each of down.keys()) if (up.has(each)) nodes.add(each);
        const on = indexesOf(
          model.edges,
          ({ source, target }) => down.has(source) && up.has(target),
        );
        for (const edge of on) edges.add(edge);
      }
      expect(sorted(found.nodes)).toEqual(sorted(nodes));
      expect(sorted(found.edges)).toEqual(sorted(edges));
    }));
  });

  it("hops to the nearest start, each way", () => {
    fc.assert(fc.property(anyModel, fc.uniqueArray(id, { maxLength: 3 }), (model, roots) => {
      const known = roots.filter((root) => model.nodes.has(root));
      const found = hopsFrom(walkable(model), roots);
      const min = (walk: typeof below, to: number) =>
        Math.min(Infinity, ...known.map((root) => walk(model.edges, root).get(to) ?? Infinity));
      for (const to of model.nodes.keys()) {
        const { upstream, downstream } = found.get(to) ?? {};
        expect([upstream ?? Infinity, downstream ?? Infinity])
          .toEqual([min(above, to), min(below, to)]);
      }
    }));
  });

  it("need no stack: a chain of 50,000", () => {
    const nodes = Array.from({ length: 50_000 }, (_, at) => node(at));
    const graph = walkable(
      modelOf(nodes, nodes.slice(1).map((_, at): [number, number] => [at, at + 1])),
    );
    expect(fullPath(graph, 25_000).nodes.size).toBe(50_000);
    expect(pathsBetween(graph, 49_999, 0).edges.size).toBe(49_999);
    expect(hopsFrom(graph, [0]).get(49_999)).toEqual({ upstream: null, downstream: 49_999 });
  });
});
