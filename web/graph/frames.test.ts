import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { framesOf } from "#web/graph/frames.ts";
import * as framing from "#web/graph/framing.ts";
import { overlaps, rectOf } from "#web/graph/geometry.ts";
import { layoutInputOf } from "#web/graph/layout-client.ts";
import { layoutOf } from "#web/graph/layout/layout.ts";
import type { Model } from "#web/graph/model.ts";
import { buildScene, paddingOf, type Scene, sizeIn } from "#web/graph/scene.ts";
import { anyModel, modelOf, node } from "#web/graph/testing/models.ts";
import { viewOf } from "#web/graph/view.ts";

/** A model drawn with all groups open. */
function drawn(model: Model) {
  const view = viewOf(model, { folded: new Set() });
  const layout = layoutOf(layoutInputOf(view, sizeIn(view)));
  const { nodes, groups } = model;
  const roots = new Set(model.roots);
  const padding = paddingOf(view);
  return { view, scene: buildScene({ view, layout, nodes, groups, framing, roots, padding }) };
}

/** Names of frames with the labels of their boxes. */
const frameTexts = ({ frames, boxes }: Scene) =>
  frames.map(({ name, boxes: within }) =>
    `${name}: ${within.map((box) => boxes[box]!.label).sort().join(" ")}`
  ).sort();

describe("frames", () => {
  it("are around the boxes of their group and around no other, and leave none of them out", () => {
    fc.assert(fc.property(anyModel, (model) => {
      const { view, scene } = drawn(model);
      for (const { rect, boxes } of scene.frames) {
        const within = scene.boxes.map((_, box) => box)
          .filter((box) => overlaps(rect, rectOf(scene, box)));
        expect(within).toEqual([...boxes].sort((a, b) => a - b));
      }
      for (const [box, { frames = [] }] of view.nodes.entries()) {
        const around = scene.frames.filter(({ boxes }) => boxes.includes(box));
        expect(around.length > 0).toBe(frames.length > 0);
        if (frames.length > 0) expect(around.at(-1)!.group).toBe(frames.at(-1));
      }
    }));
  });

  it("lie within each other or apart", () => {
    fc.assert(fc.property(anyModel, (model) => {
      const { frames } = drawn(model).scene;
      for (const [at, a] of frames.entries()) {
        for (const b of frames.slice(at + 1)) {
          const nested = b.boxes.every((box) => a.boxes.includes(box));
          expect(overlaps(a.rect, b.rect)).toBe(nested);
        }
      }
    }));
  });

  it("span columns, and one stands for those with the same boxes", () => {
    const model = modelOf(
      [node(1, { groups: [8] }), node(2, { groups: [8] }), node(3, { groups: [9] }), node(4)],
      [[1, 2], [2, 3], [3, 4]],
    );
    model.groups.set(7, { id: 7, name: "dwh" });
    model.groups.set(8, { id: 8, name: "staging", groups: [7] });
    model.groups.set(9, { id: 9, name: "marts", groups: [7] });
    expect(frameTexts(drawn(model).scene)).toEqual([
      "dwh: n1 n2 n3",
      "marts: n3",
      "staging: n1 n2",
    ]);
    model.groups.set(9, { id: 9, name: "marts" });
    expect(frameTexts(drawn(model).scene)).toEqual(["dwh › staging: n1 n2", "marts: n3"]);
  });

  it("are several where other boxes lie between", () => {
    const model = modelOf(
      [node(1, { groups: [8] }), node(2), node(3, { groups: [8] })],
      [[1, 2], [2, 3]],
    );
    expect(frameTexts(drawn(model).scene)).toEqual(["g8: n1", "g8: n3"]);
  });

  it("are none in a drawing of very many boxes", () => {
    const nodes = Array.from({ length: 1_001 }, (_, id) => ({ frames: [1], key: `e${id}` }));
    const places = { rects: new Float32Array(4 * 1_001), columns: new Uint32Array(1_001) };
    expect(framesOf({ nodes, edges: [] } as never, places, new Map())).toEqual([]);
  });
});
