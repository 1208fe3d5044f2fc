import {
  contains,
  curveOf,
  grown,
  onCurve,
  type Point,
  squareToPiece,
} from "#web/graph/geometry.ts";
import { Grid } from "#web/graph/grid.ts";
import { handleRect, hasHandle } from "#web/graph/handles.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { handle, levelOf } from "#web/graph/style.ts";

/** What is under the pointer; boxes lie above lines, handles above both, frames below all. */
export type Hit =
  | { kind: "box"; box: number }
  | { kind: "handle"; box: number; side: "left" | "right" }
  | { kind: "line"; line: number }
  | { kind: "frame"; frame: number };

/** Straight pieces that stand for one curve when it is looked for. */
const pieces = 12;

/** Pixels of the screen by which a line may be missed. */
const nearLine = 5;

/** Finds what is at a point of one scene, by a grid that is built when it is first asked. */
export class Picker {
  readonly #scene: Scene;
  #boxes: Grid | undefined;
  #lines: Grid | undefined;
  #pieces: Float32Array | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** What is at a point of the drawing, seen at a zoom; null for nothing. Far away there are no handles. */
  at(point: Point, zoom: number): Hit | null {
    return this.#boxAt(point, levelOf(zoom) !== "far") ??
      this.#lineAt(point, nearLine / zoom) ?? this.#frameAt(point);
  }

  /** The innermost frame. */
  #frameAt(point: Point): Hit | null {
    const frame = this.#scene.frames.findLastIndex(({ rect }) => contains(rect, point));
    return frame < 0 ? null : { kind: "frame", frame };
  }

  #boxAt(point: Point, handles: boolean): Hit | null {
    const scene = this.#scene;
    this.#boxes ??= boxGrid(scene);
    let found: Hit | null = null;
    for (const box of this.#boxes.at(point.x, point.y)) {
      for (const side of handles ? ["left", "right"] as const : []) {
        if (hasHandle(scene, box, side) && contains(handleRect(scene, box, side), point)) {
          return { kind: "handle", box, side };
        }
      }
      if (contains(rectOf(scene, box), point)) found = { kind: "box", box };
    }
    return found;
  }

  #lineAt({ x, y }: Point, reach: number): Hit | null {
    const scene = this.#scene;
    const of = this.#pieces ??= piecesOf(scene);
    this.#lines ??= lineGrid(scene, of);
    let [nearest, found] = [Math.min(reach, lineReach) ** 2, -1];
    for (const piece of this.#lines.at(x, y)) {
      const at = 4 * piece;
      const distance = squareToPiece(x, y, of[at]!, of[at + 1]!, of[at + 2]!, of[at + 3]!);
      if (distance < nearest) [nearest, found] = [distance, piece];
    }
    if (found < 0) return null;
    return { kind: "line", line: lineOfPoint(scene, Math.floor(found / pieces)) };
  }
}

/** How far from a line the grid knows of it. */
const lineReach = nearLine / 0.36;

function boxGrid(scene: Scene): Grid {
  const around = handle.gap + handle.width;
  return new Grid(grown(scene.bounds, around), 2 * scene.boxes.length, (add) => {
    for (let box = 0; box < scene.boxes.length; box++) {
      const { x, y, width, height } = rectOf(scene, box);
      add(box, { x: x - around, y, width: width + 2 * around, height: height + handle.below });
    }
  });
}

/** Lines as straight pieces, four numbers each, by the index of the point that their curve starts at. */
function piecesOf({ points, offsets, lines }: Scene): Float32Array {
  const found = new Float32Array(2 * pieces * points.length);
  for (let line = 0; line < lines.length; line++) {
    for (let start = offsets[line]!; start < offsets[line + 1]! - 1; start++) {
      const at = 2 * start;
      const curve = curveOf(points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!);
      for (let segment = 0; segment < pieces; segment++) {
        const [a, b] = [onCurve(curve, segment / pieces), onCurve(curve, (segment + 1) / pieces)];
        found.set([a.x, a.y, b.x, b.y], 4 * (start * pieces + segment));
      }
    }
  }
  return found;
}

function lineGrid({ bounds, lines, offsets }: Scene, of: Float32Array): Grid {
  return new Grid(grown(bounds, lineReach), 12 * lines.length, (add) => {
    for (let line = 0; line < lines.length; line++) {
      const [start, end] = [offsets[line]! * pieces, (offsets[line + 1]! - 1) * pieces];
      for (let piece = start; piece < end; piece++) {
        const [x0, y0, x1, y1] = of.subarray(4 * piece, 4 * piece + 4);
        const [x, y] = [Math.min(x0!, x1!), Math.min(y0!, y1!)];
        const rect = { x, y, width: Math.abs(x1! - x0!), height: Math.abs(y1! - y0!) };
        add(piece, grown(rect, lineReach));
      }
    }
  });
}

/** The line that has a point, by halving. */
function lineOfPoint({ offsets, lines }: Scene, point: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}
