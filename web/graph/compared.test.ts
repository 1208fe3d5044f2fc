import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { type ApiDiff, fromDiffs } from "#web/graph/further-answers.ts";
import { emptyModel, merge } from "#web/graph/answers.ts";
import type { NodeChange } from "#web/graph/model.ts";
import { noMarks } from "#web/graph/marks.ts";
import { Painter } from "#web/graph/paint.ts";
import { sceneSvg } from "#web/graph/export/svg.ts";
import { sceneText } from "#web/graph/testing/scene-text.ts";
import { boardScene, recorder, theme } from "#web/graph/testing/samples.ts";
import { viewOf } from "#web/graph/view.ts";
import { t } from "#web/messages/text.ts";

const node = (id: number, change: NodeChange = "same") => ({
  id,
  catrn: `//n/${id}`,
  external_name: `n${id}`,
  entity_classes: [{ name: "DATA_SET" }],
  type: { name: "TABLE" },
  has_alerts: false,
  data_source: { id: 1, name: "shop" },
  status: { status: "UNASSIGNED" },
  is_stale: false,
  change,
});
const edge = (
  source_id: number,
  target_id: number,
  change: ApiDiff["edges"][number]["change"],
) => ({ source_id, target_id, change });

/** 1 > 2 > 4 was, 1 > 3 > 4 is. */
const diff: ApiDiff = {
  root: node(1),
  nodes: [node(1), node(2, "left"), node(3, "came"), node(4)],
  edges: [
    edge(1, 2, "removed"),
    edge(2, 4, "unreached"),
    edge(1, 3, "added"),
    edge(3, 4, "reached"),
  ],
};
const scene = boardScene(
  [
    { id: 1, column: 0, row: 0 },
    { id: 2, column: 1, row: 0, view: { change: "left" } },
    { id: 3, column: 1, row: 1, view: { change: "came" } },
    { id: 4, column: 2, row: 0 },
  ],
  [[1, 2, "removed"], [2, 4, "unreached"], [1, 3, "added"], [3, 4, "reached"]],
);

describe("what changed between two times", () => {
  it("is told by boxes and lines", () => {
    const view = viewOf(merge(emptyModel(), fromDiffs(diff)));
    expect(view.nodes.map(({ key, change }) => [key, change])).toEqual([
      ["e1", undefined],
      ["e2", "left"],
      ["e3", "came"],
      ["e4", undefined],
    ]);
    expect(view.edges.map(({ key, since, label }) => [key, since?.change, label])).toEqual([
      ["e1>e2", "removed", "\u2212"],
      ["e2>e4", "unreached", "(\u2212)"],
      ["e1>e3", "added", "+"],
      ["e3>e4", "reached", "(+)"],
    ]);
  });

  it("is the same where two answers tell different things: it was there at both times", () => {
    const other: ApiDiff = {
      root: node(3),
      nodes: [node(3), node(4, "came"), node(5, "came")],
      edges: [edge(3, 4, "same"), edge(4, 5, "added")],
    };
    const model = merge(merge(emptyModel(), fromDiffs(diff)), fromDiffs(other));
    expect([1, 2, 3, 4, 5].map((id) => model.changes!.ofNode(id)))
      .toEqual(["same", "left", "same", "same", "came"]);
    const lines = viewOf(model).edges.map(({ key, since }) => [key, since && t(since.words)]);
    expect(lines).toContainEqual(["e3>e4", undefined]);
    expect(lines).toContainEqual(["e4>e5", "added since then"]);
  });

  it("is in the scene", () => {
    expect(sceneText(scene)).toBe(
      `920 x 144
e1 "n1" @0,0 table DATA_SET source=1 root
e2 "n2" @340,0 table DATA_SET source=1 left
e3 "n3" @340,80 table DATA_SET source=1 came
e4 "n4" @680,0 table DATA_SET source=1
e1 -> e2 removed "\u2212"
e1 -> e3 added "+"
e2 -> e4 unreached "(\u2212)"
e3 -> e4 reached "(+)"`,
    );
  });

  it("is drawn by colour and by sign, on the canvas and in a file", () => {
    const { brush, calls } = recorder();
    const view = { x: 450, y: 68, zoom: 1 };
    const size = { width: 1_000, height: 600 };
    new Painter((data) => Object(data) as object)
      .paint(brush, { scene, view, size, ratio: 1, marks: noMarks(scene), theme });
    const drawn = calls.join("\n");
    const svg = sceneSvg(scene, theme);
    for (const colour of Object.values(theme.changes)) {
      expect(drawn).toContain(colour);
      expect(svg).toContain(`stroke="${colour}"`);
    }
    for (const sign of ["+", "\u2212", "(+)", "(\u2212)"]) {
      expect(drawn).toContain(`fillText(${sign},`);
      expect(svg).toContain(`>${sign}</text>`);
    }
    expect(svg).toContain("<title>n3, Table, came</title>");
  });
});
