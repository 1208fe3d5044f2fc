import "#web/messages/testing/english.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adjacencyOf } from "#web/graph/adjacency.ts";
import { cyclesOf } from "#web/graph/walks.ts";
import { groupFolds } from "#web/graph/groups.ts";
import { jobsAsLines } from "#web/graph/draft.ts";
import type { View } from "#web/graph/model.ts";
import { anyModel, modelOf, node, viewWithGroups as viewOf } from "#web/graph/testing/models.ts";

const keys = (view: View) => view.nodes.map(({ key }) => key);
const lines = (view: View) => view.edges.map(({ key }) => key).sort();

describe("groups", () => {
  const model = modelOf(
    [node(1), node(2, { groups: [9] }), node(3, { groups: [9] }), node(4, { groups: [8] })],
    [[1, 2], [2, 3], [1, 3], [3, 4]],
  );
  model.groups.set(8, { id: 8, name: "outer" });
  model.groups.set(9, { id: 9, name: "inner", groups: [8] });

  it("fold into the outermost that is closed", () => {
    const view = viewOf(model);
    expect(keys(view)).toEqual(["e1", "fg8"]);
    expect(view.nodes[1]).toMatchObject({ label: "outer", detail: "3 tables", reason: "group" });
    expect(lines(view)).toEqual(["e1>fg8"]);
    expect(lines(viewOf(model, { unfolded: new Set(["fg8"]) }))).toEqual(["e1>fg9", "fg9>e4"]);
  });

  it("are open above a root, and where they have no name", () => {
    expect(keys(viewOf({ ...model, roots: [3] }))).toEqual(["e1", "e2", "e3", "e4"]);
    const groups = new Map(model.groups).set(8, { id: 8, name: "?", hollow: true });
    expect(keys(viewOf({ ...model, groups }))).toEqual(["e1", "fg9", "e4"]);
  });

  it("have no lines both ways: they are drawn in parts where one box would need them", () => {
    const both = modelOf(
      [node(1, { groups: [9] }), node(2), node(3, { groups: [9] })],
      [[1, 2], [2, 3]],
      [2],
    );
    expect(lines(viewOf(both))).toEqual(["e2>fg9-1", "fg9>e2"]);
    const opened = { folded: new Set<string>() };
    expect(keys(viewOf(both, opened))).toEqual(["e1", "e2", "e3"]);
    fc.assert(fc.property(anyModel, fc.boolean(), (model, asLines) => {
      const edges = model.edges.filter(({ source, target }) => source < target);
      const view = viewOf({ ...model, edges }, { asLines: asLines ? jobsAsLines : undefined });
      const index = new Map(view.nodes.map(({ key }, at) => [key, at]));
      const pairs = view.edges.flatMap(({ from, to }) => [index.get(from)!, index.get(to)!]);
      const down = adjacencyOf(view.nodes.length, Uint32Array.from(pairs), "from");
      expect(new Set(cyclesOf(view.nodes.length, down)).size).toBe(view.nodes.length);
    }));
  });

  it("say where their members are", () => {
    const root = { ...model, roots: [3] };
    expect(viewOf(root).nodes.map(({ detail, frames }) => [detail, frames])).toEqual([
      ["Table · shop", []],
      ["Table · outer.inner", [8, 9]],
      ["Table · outer.inner", [8, 9]],
      ["Table · outer", [8]],
    ]);
  });

  it("in a loop end at the smallest", () => {
    const groups = new Map(model.groups).set(8, { id: 8, name: "outer", groups: [9] } as never);
    const fold = groupFolds({ ...model, groups }, () => false);
    expect([2, 3, 4].map(fold)).toEqual([8, 8, 8]);
  });
});
