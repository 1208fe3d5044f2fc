import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { frameMarks, marksOf } from "#web/graph/marks.ts";
import { buildScene, moved } from "#web/graph/scene.ts";
import { sceneText } from "#web/graph/testing/scene-text.ts";
import { shown, shownUnits } from "#web/graph/text.ts";
import { node } from "#web/graph/testing/models.ts";
import { boardScene } from "#web/graph/testing/samples.ts";

const scene = boardScene(
  [
    {
      id: 1,
      column: 1,
      row: 0,
      node: { name: "orders", hasAlerts: true },
      view: { hiddenParents: 4 },
    },
    { id: 2, column: 0, row: 0, node: { classes: [], type: null, hollow: true, source: null } },
    {
      id: 3,
      column: 2,
      row: 1,
      node: { classes: ["DATA_CONSUMER"], type: "DASHBOARD", stale: true, status: "DELETED" },
      view: { hiddenChildren: 2 },
    },
  ],
  [[2, 1], [1, 3], [3, 2]],
);

describe("a scene", () => {
  it("is told as text, from left to right", () => {
    expect(sceneText(scene)).toBe(
      `920 x 144
e2 "n2" @0,0 unknown UNKNOWN hollow
e1 "orders" @340,0 table DATA_SET source=1 alerts=1 root left=+4
e3 "n3" @680,80 dashboard DATA_CONSUMER source=1 stale deleted right=+2
e1 -> e3
e2 -> e1
e3 -> e2 reversed`,
    );
  });

  it("tells of a fold how many it stands for, how many have alerts, and what all of them are", () => {
    const nodes = new Map(
      [1, 2].map((id) => [id, { ...node(id), hasAlerts: id === 2, stale: true }]),
    );
    const folded = buildScene({
      view: {
        nodes: [{
          key: "f1",
          kind: "fold",
          members: [1, 2, 3],
          label: "3 tables of shop",
          detail: "",
          reason: "frame",
          hiddenParents: 0,
          hiddenChildren: 0,
        }],
        edges: [],
      },
      layout: emptyLayout(1),
      nodes,
      roots: new Set(),
      opened: new Map([["f1", { left: false, right: true }]]),
    });
    expect(sceneText(folded)).toBe(
      `240 x 64\nf1 "3 tables of shop" @0,0 table DATA_SET source=1 of=3 alerts=1 stale right=-`,
    );
  });

  it("refuses a line that ends at no box", () => {
    const view = { nodes: [], edges: [{ key: "x", from: "a", to: "b", jobs: [], label: "" }] };
    const input = { view, layout: emptyLayout(0), nodes: new Map(), roots: new Set<number>() };
    expect(() => buildScene(input)).toThrow("line x ends at no box");
  });

  it("takes of a name what can be seen of it", () => {
    expect(shown("a\u202eb\u200b\u0007c\nd")).toBe("ab c d");
    expect(shown("\u200b\u200d\u2066")).toBe("(no visible name)");
    expect(shown("x".repeat(10_000))).toHaveLength(shownUnits);
    expect(shown("\ud800abc")).toBe("\ufffdabc");
  });
});

describe("marks", () => {
  it("of a frame that is pointed at are the lines from and to what is in it", () => {
    const frame = {
      group: 7,
      name: "g",
      boxes: [2],
      rect: { x: 0, y: 0, width: 1, height: 1 },
      level: 0,
    };
    expect([...frameMarks({ ...scene, frames: [frame] }, 0).lines]).toEqual([1, 2]);
  });

  it("fade what is not on the path or is left out by a filter, and cut nothing", () => {
    const onPath = marksOf(scene, { path: new Set(["e2", "e1"]), selected: new Set(["e1"]) });
    expect([...onPath.boxes]).toEqual([3, 1, 4]);
    expect([...onPath.lines]).toEqual([1, 4, 4]);
    const dimmed = marksOf(scene, { dimmed: (key) => key === "e1" });
    expect([...dimmed.boxes]).toEqual([4, 0, 0]);
    expect([...dimmed.lines]).toEqual([4, 4, 0]);
  });
});

describe("a scene elsewhere", () => {
  it("has the same boxes and lines at the places of another layout, and room for labels beside boxes", () => {
    const layout = { ...emptyLayout(3), ...layoutAt([10, 400, 800], [[0, 1], [1, 2], [2, 0]]) };
    const there = moved({ ...scene }, layout, 40);
    expect(there.boxes).toBe(scene.boxes);
    expect([...there.rects.subarray(0, 4)]).toEqual([50, 0, 240, 64]);
    expect([...there.points]).toEqual([0, 0, 50, 0, 0, 0, 50, 0, 50, 0, 0, 0]);
    expect(there.bounds).toEqual({ x: 0, y: 0, width: 1_080, height: 64 });
  });
});

/** Lines from x 40 to x 10 whichever way, so that ends that move by the room are told apart. */
function layoutAt(x: number[], lines: [number, number][]) {
  return {
    x: Float32Array.from(x),
    points: Float32Array.from(
      lines.flatMap((_, line) => line < 2 ? [40, 0, 10, 0] : [10, 0, 40, 0]),
    ),
    offsets: Uint32Array.from([0, 2, 4, 6]),
  };
}

function emptyLayout(boxes: number) {
  return {
    x: new Float32Array(boxes),
    y: new Float32Array(boxes),
    layers: new Uint32Array(boxes),
    points: new Float32Array(),
    offsets: new Uint32Array(1),
    reversed: new Uint8Array(),
    width: 0,
    height: 0,
  };
}
