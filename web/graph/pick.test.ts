import type { SceneFrame } from "#web/graph/frames.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contains, curveOf, onCurve, squareToPiece } from "#web/graph/geometry.ts";
import { handleRect, hasHandle, rectOf, type Scene } from "#web/graph/scene.ts";
import { Picker } from "#web/graph/pick.ts";
import { boardScene, largeScene, step } from "#web/graph/testing/samples.ts";

const scene = boardScene(
  [
    { id: 1, column: 0, row: 0, view: { hiddenChildren: 3 } },
    { id: 2, column: 1, row: 2, view: { hiddenParents: 1 } },
    { id: 3, column: 2, row: 1 },
    { id: 4, column: 2, row: 5 },
  ],
  [[1, 2], [2, 3], [2, 4], [1, 4], [4, 1]],
);

/** What a look at everything finds; handles first, then boxes, then the nearest line. */
function slowly(scene: Scene, point: { x: number; y: number }, zoom: number): string {
  const boxes = scene.boxes.map((_, box) => box);
  for (const side of ["left", "right"] as const) {
    const box = boxes.find((box) =>
      hasHandle(scene, box, side) && contains(handleRect(scene, box, side), point)
    );
    if (box !== undefined) return `handle ${box} ${side}`;
  }
  const box = boxes.find((box) => contains(rectOf(scene, box), point));
  if (box !== undefined) return `box ${box}`;
  const distances = scene.lines.map((_, line) => ({
    line,
    distance: distanceTo(scene, line, point),
  }))
    .filter(({ distance }) => distance < (5 / zoom) ** 2)
    .sort((a, b) => a.distance - b.distance);
  return distances[0] ? `line ${distances[0].line}` : "nothing";
}

function distanceTo({ points, offsets }: Scene, line: number, point: { x: number; y: number }) {
  const at = 2 * offsets[line]!;
  const curve = curveOf(points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!);
  let min = Infinity;
  for (let part = 0; part < 12; part++) {
    const [a, b] = [onCurve(curve, part / 12), onCurve(curve, (part + 1) / 12)];
    min = Math.min(min, squareToPiece(point.x, point.y, a.x, a.y, b.x, b.y));
  }
  return min;
}

describe("what is under the pointer", () => {
  const picker = new Picker(scene);
  const hitText = (point: { x: number; y: number }, zoom: number) => {
    const hit = picker.at(point, zoom);
    if (!hit) return "nothing";
    if (hit.kind === "line") return `line ${hit.line}`;
    if (hit.kind === "frame") return `frame ${hit.frame}`;
    return hit.kind === "box" ? `box ${hit.box}` : `handle ${hit.box} ${hit.side}`;
  };

  it("is the innermost frame where there is nothing else", () => {
    const { bounds: { x, y, width, height } } = scene;
    const frame = (level: number, beyond: number): SceneFrame => ({
      group: level,
      name: "g",
      boxes: [0],
      level,
      rect: { x: x + width + 100 - beyond, y, width: 50 + 2 * beyond, height },
    });
    const framed = new Picker({ ...scene, frames: [frame(0, 10), frame(1, 0)] });
    const at = (right: number) => framed.at({ x: x + width + right, y: y + height / 2 }, 1);
    expect([at(125), at(95)]).toEqual([{ kind: "frame", frame: 1 }, { kind: "frame", frame: 0 }]);
  });

  it("is what a look at everything finds", () => {
    const point = fc.record({
      x: fc.double({ min: -60, max: 3 * step.x, noNaN: true }),
      y: fc.double({ min: -60, max: 6 * step.y, noNaN: true }),
    });
    fc.assert(
      fc.property(point, fc.constantFrom(0.5, 1, 2), (at, zoom) => {
        expect(hitText(at, zoom)).toBe(slowly(scene, at, zoom));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is a handle beside a box only where one is drawn", () => {
    expect(hitText({ x: 260, y: 58 }, 1)).toBe("handle 0 right");
    expect(hitText({ x: -20, y: 58 }, 1)).toBe("nothing");
    expect(hitText({ x: 260, y: 58 }, 0.1)).not.toContain("handle");
  });

  it("is found in microseconds among 5,000 boxes", () => {
    const large = largeScene(20, 250);
    const quick = new Picker(large);
    const points = Array.from({ length: 200 }, (_, index) => ({
      x: (index * 7_919) % large.bounds.width,
      y: (index * 104_729) % large.bounds.height,
    }));
    const spent = Array.from({ length: 400 }, () => {
      const start = performance.now();
      for (const point of points) quick.at(point, 1);
      return (performance.now() - start) / points.length;
    });
    // The best of many runs, each shorter than a turn at the processor.
    expect(Math.min(...spent) * 1_000).toBeLessThan(5);
  });

  it("is nothing in an empty drawing", () => {
    expect(new Picker(boardScene([])).at({ x: 0, y: 0 }, 1)).toBeNull();
  });
});
