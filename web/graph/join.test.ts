import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApiStream, emptyModel, fromLineage, merge } from "#web/graph/answers.ts";
import { fromNeighbours, fromStreams } from "#web/graph/further-answers.ts";
import { hiddenNeighbours } from "#web/graph/view.ts";
import { beyond, forget } from "#web/graph/forget.ts";
import type { Model } from "#web/graph/model.ts";
import { answer, apiNode, viewWithGroups as viewOf } from "#web/graph/testing/models.ts";

const stream = (given: Partial<ApiStream>): ApiStream => ({
  nodes: [],
  edges: [],
  groups: [],
  ...given,
});

/** What a model says, whatever the order in which it was loaded. */
const content = (model: Model) => ({
  ...model,
  edges: model.edges.map(({ source, target }) => `${source}>${target}`).sort(),
  reached: new Map([...model.reached ?? []].filter(([, bits]) => bits !== 0)),
});

const graph = fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { minLength: 1, maxLength: 40 })
  .map((pairs) => [...new Map(pairs.map((pair) => [pair.join(), pair])).values()]);

describe("merge", () => {
  it("joins both sides of a root, and keeps the counts that only one answer knows", () => {
    const pairs: [number, number][] = [[1, 2], [2, 3], [3, 4]];
    const both = fromLineage(answer(pairs, 2, "upstream", 1), answer(pairs, 2, "downstream", 1));
    const model = merge(emptyModel(), both);
    expect(model.roots).toEqual([2]);
    expect([...model.nodes.keys()].sort()).toEqual([1, 2, 3]);
    expect(model.edges).toHaveLength(2);
    expect(model.nodes.get(2)).toMatchObject({
      name: "n2",
      parents: 1,
      children: 1,
      hollow: false,
    });
    expect(hiddenNeighbours(model)(3)).toEqual({ parents: 0, children: 1 });
  });

  it("changes nothing when the same is loaded again, in whatever order, nor the model it was given", () => {
    fc.assert(
      fc.property(graph, fc.nat(14), fc.integer({ min: 1, max: 3 }), (pairs, root, depth) => {
        const up = fromLineage(answer(pairs, root, "upstream", depth));
        const down = fromLineage(answer(pairs, root, "downstream", depth));
        const once = merge(merge(emptyModel(), up), down);
        const before = content(structuredClone(once));
        expect(content(merge(once, up))).toEqual(before);
        expect(content(merge(merge(emptyModel(), down), up))).toEqual(before);
        expect(content(once)).toEqual(before);
      }),
    );
  });

  it("knows of each node exactly how many neighbours are not loaded", () => {
    fc.assert(
      fc.property(graph, fc.nat(14), fc.integer({ min: 1, max: 3 }), (pairs, root, depth) => {
        const sides = (["upstream", "downstream"] as const).map((side) =>
          answer(pairs, root, side, depth)
        );
        const model = merge(emptyModel(), fromLineage(...sides));
        for (const id of model.nodes.keys()) {
          const drawn = (near: number) =>
            model.edges.filter((e) => [e.source, e.target][near] === id);
          const all = (near: number) => pairs.filter((pair) => pair[near] === id);
          if (id === root && model.edges.length === 0) continue;
          expect(hiddenNeighbours(model)(id)).toEqual({
            parents: all(1).length - drawn(1).length,
            children: all(0).length - drawn(0).length,
          });
        }
      }),
    );
  });

  it("takes pages of neighbours, which never replace what is known", () => {
    const known = merge(
      emptyModel(),
      fromLineage({
        root: apiNode(1, { children_count: 3 }),
        downstream: stream({
          nodes: [apiNode(1, { children_count: 3 }), apiNode(2)],
          edges: [{ source_id: 1, target_id: 2 }],
          truncated_at: [{ id: 1 }],
        }),
      }),
    );
    expect([...known.truncatedAt]).toEqual([1]);
    const refs = [2, 3].map((id) => ({
      id,
      external_name: `ref ${id}`,
      entity_classes: [{ name: "DATA_SET" }],
      status: { status: "STABLE" },
      is_stale: false,
    }));
    const model = merge(known, fromNeighbours(1, "downstream", refs));
    expect(model.nodes.get(2)?.name).toBe("n2");
    expect(model.nodes.get(3)).toMatchObject({ name: "ref 3", source: null, parents: 0 });
    expect(hiddenNeighbours(model)(1)).toEqual({ parents: 0, children: 1 });
    const whole = fromLineage(answer([[1, 2], [1, 3], [1, 4]], 1, "downstream", 1));
    expect([...merge(model, whole).truncatedAt]).toEqual([]);
  });

  it("leaves out edges whose ends no answer describes", () => {
    const lost = stream({ nodes: [apiNode(1)], edges: [{ source_id: 1, target_id: 9 }] });
    expect(merge(emptyModel(), fromStreams([lost])).edges).toEqual([]);
  });

  it("tells hollow entities and gives them the name by which others know them", () => {
    const hollow = apiNode(1, { external_name: null, type: null, entity_classes: [] });
    const model = merge(emptyModel(), fromLineage({ root: hollow }));
    expect(model.nodes.get(1)).toMatchObject({ hollow: true, name: "//x/1", type: null });
  });
});

describe("groups", () => {
  const group = apiNode(9, { entity_classes: [{ name: "DATA_ENTITY_GROUP" }], type: null });
  const members = [2, 3].map((id) => apiNode(id, { group_id_list: [9] }));
  const pair = (source_id: number, target_id: number) => ({ source_id, target_id });
  const known = (more: ApiStream["edges"] = [], nodes = [apiNode(1), ...members]) => {
    const edges = [pair(1, 2), pair(1, 3), ...more];
    const downstream = stream({ nodes, edges, groups: [group] });
    return merge(emptyModel(), fromLineage({ root: apiNode(1), downstream }));
  };

  it("are folds of their members, which can be opened", () => {
    const model = known();
    expect([...model.nodes.keys()].sort()).toEqual([1, 2, 3]);
    expect(viewOf(model).nodes.map(({ key, label }) => [key, label]))
      .toEqual([["e1", "n1"], ["fg9", "n9"]]);
    expect(viewOf(model, { unfolded: new Set(["fg9"]) }).nodes.map(({ key }) => key))
      .toEqual(["e1", "e2", "e3"]);
  });

  it("keep lines of their own beside those of their members", () => {
    const model = known([pair(1, 9)], [apiNode(1), ...members, group]);
    expect(model.edges).toContainEqual({ source: 1, target: 9 });
    expect(viewOf(model).nodes.map(({ key }) => key)).toEqual(["e1", "fg9"]);
  });
});

describe("forget", () => {
  it("takes away what nothing connects to a root any more, and loading it again brings all back", () => {
    fc.assert(fc.property(graph, fc.nat(14), fc.array(fc.nat(14)), (pairs, root, ids) => {
      const sides = (["upstream", "downstream"] as const).map((side) =>
        answer(pairs, root, side, 3)
      );
      const loaded = fromLineage(...sides);
      const model = merge(emptyModel(), loaded);
      const less = forget(model, ids);
      for (const id of less.nodes.keys()) expect(id === root || !ids.includes(id)).toBe(true);
      expect(less.nodes.has(root)).toBe(true);
      expect(content(merge(less, loaded))).toEqual(content(model));
      const restored = forget(less, []);
      expect(content(restored)).toEqual(content(less));
    }));
  });

  it("shows what it took as hidden neighbours", () => {
    const pairs: [number, number][] = [[1, 2], [2, 3], [2, 4], [5, 4]];
    const model = merge(emptyModel(), fromLineage(answer(pairs, 1, "downstream", 2)));
    const less = forget(model, [4]);
    expect(hiddenNeighbours(less)(2)).toEqual({ parents: 0, children: 1 });
  });

  it("closes one side of a node, but leaves what another way leads to", () => {
    const pairs: [number, number][] = [[1, 2], [1, 3], [2, 4], [3, 4], [2, 5], [5, 6]];
    const model = merge(emptyModel(), fromLineage(answer(pairs, 1, "downstream", 4)));
    expect(beyond(model, 2, "downstream").sort()).toEqual([5, 6]);
    expect([...forget(model, beyond(model, 1, "downstream")).nodes.keys()]).toEqual([1]);
  });
});
