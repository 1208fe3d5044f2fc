import { describe, expect, it } from "vitest";
import "#web/messages/testing/english.ts";
import { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";
import { boardScene } from "#web/graph/testing/samples.ts";
import { job, modelOf, node } from "#web/graph/testing/models.ts";
import { jobsAsLines } from "#web/graph/draft.ts";
import { viewOf } from "#web/graph/view.ts";
import { walkable } from "#web/graph/adjacency.ts";
import { dimmedBy, highlightOf } from "#web/features/lineage/highlight.ts";
import { spoken } from "#web/features/lineage/navigation.ts";
import { distanceText, impactRows } from "#web/features/lineage/impact-rows.ts";

const model = modelOf(
  [
    node(1, { name: "a" }),
    node(2, { ...job, parents: 1, children: 1 }),
    node(3, { name: "c", hasAlerts: true, source: { id: 2, name: "b" } }),
    node(4, { name: "b", parents: 1 }),
    node(5, { name: "e" }),
  ],
  [[1, 2], [2, 3], [1, 4]],
);
const graph = walkable(model);
const view = viewOf(model);
const keysOf = (selected: string[], of = view) => {
  const found = highlightOf(model, graph, of, selected);
  return found && { boxes: [...found.boxes].sort(), lines: [...found.lines].sort() };
};

describe("what is on a path", () => {
  it("is all that feeds a box and that it feeds, or what is between two", () => {
    expect(keysOf(["e2"])).toEqual({ boxes: ["e1", "e2", "e3"], lines: ["e1>e2", "e2>e3"] });
    expect(keysOf(["e3", "e1"])).toEqual({ boxes: ["e1", "e2", "e3"], lines: ["e1>e2", "e2>e3"] });
    expect(keysOf(["e3", "e4"])).toEqual({ boxes: [], lines: [] });
    expect(keysOf([])).toBeNull();
    expect(keysOf(["e99"])).toBeNull();
  });

  it("goes along a line that stands for a job", () => {
    const lines = viewOf(model, { asLines: jobsAsLines });
    expect(lines.edges.map(({ key }) => key)).toContain("e1>e3");
    expect(keysOf(["e3"], lines)).toEqual({ boxes: ["e1", "e3"], lines: ["e1>e3"] });
  });
});

it("what filters do not ask for is dimmed, and nothing without filters", () => {
  const filters = { classes: [], sources: [], alertsOnly: false };
  expect(dimmedBy(model, view, filters)).toBeNull();
  expect([...dimmedBy(model, view, { ...filters, alertsOnly: true })!].sort())
    .toEqual(["e1", "e2", "e4", "e5"]);
  expect([...dimmedBy(model, view, { ...filters, classes: ["DATA_TRANSFORMER"] })!]).not.toContain(
    "e2",
  );
});

it("the table lists by distance: the start, what it feeds, what feeds it, the rest", () => {
  const rows = impactRows({ ...model, roots: [2] });
  expect(rows.map((row) => `${row.node.name} ${distanceText(row)}`)).toEqual([
    "n2 Start",
    "c 1 down",
    "a 1 up",
    "b Beside",
    "e Beside",
  ]);
});

it("a box is read out with what is so of it and its neighbours", () => {
  const scene = boardScene(
    [
      {
        id: 1,
        column: 0,
        row: 0,
        node: { name: "a", hasAlerts: true },
        view: { hiddenParents: 2 },
      },
      ...[2, 3, 4, 5, 6].map((id) => ({ id, column: 1, row: id })),
    ],
    [2, 3, 4, 5, 6].map((id) => [1, id] as const),
  );
  expect(spoken(scene, new KeyboardNavigation(scene), 0)).toBe(
    "a, Table, start of this drawing, open alerts; fed by 2 more; feeds n2, n3, n4, n5, 1 more",
  );
});
