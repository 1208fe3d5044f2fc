import {
  clampTo,
  contains,
  curveOf,
  greatest,
  grown,
  onCurve,
  type Point,
  type Rect,
  squareToPiece,
} from "#web/graph/geometry.ts";
import { handleRect, hasHandle, rectOf, type Scene } from "#web/graph/scene.ts";
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
    const start = Math.floor(found / pieces);
    const line = greatest(scene.lines.length - 1, (line) => scene.offsets[line]! <= start);
    return { kind: "line", line };
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

const maxCells = 65_536;

/** Things by the cells that their rectangles touch. Two counting passes, no list a cell. */
class Grid {
  readonly #area: Rect;
  readonly #across: number;
  readonly #down: number;
  readonly #starts: Uint32Array;
  readonly #items: Uint32Array;

  /**
   * `eachRect` calls back with each thing and a rectangle of it, and does the same each time it is asked; a thing
   * may have several. About `cells` cells are made.
   */
  constructor(
    area: Rect,
    cells: number,
    eachRect: (add: (item: number, rect: Rect) => void) => void,
  ) {
    this.#area = { ...area, width: Math.max(area.width, 1), height: Math.max(area.height, 1) };
    const side = Math.sqrt(
      this.#area.width * this.#area.height / clampTo(cells, 1, maxCells),
    );
    this.#across = Math.min(Math.ceil(this.#area.width / side), maxCells);
    this.#down = Math.min(Math.ceil(this.#area.height / side), maxCells);
    const starts = new Uint32Array(this.#across * this.#down + 1);
    eachRect((_, rect) => this.#eachCell(rect, (cell) => void starts[cell + 1]!++));
    for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!;
    this.#starts = starts;
    this.#items = new Uint32Array(starts.at(-1)!);
    const next = starts.slice();
    eachRect((item, rect) =>
      this.#eachCell(rect, (cell) => void (this.#items[next[cell]!++] = item))
    );
  }

  /** The things whose rectangles may contain the point, in the order in which they were added. */
  at(x: number, y: number): Uint32Array {
    const cell = this.#row(y) * this.#across + this.#column(x);
    return this.#items.subarray(this.#starts[cell], this.#starts[cell + 1]);
  }

  #column(x: number): number {
    return cellOf((x - this.#area.x) / this.#area.width, this.#across);
  }

  #row(y: number): number {
    return cellOf((y - this.#area.y) / this.#area.height, this.#down);
  }

  #eachCell({ x, y, width, height }: Rect, visit: (cell: number) => void): void {
    const [left, right] = [this.#column(x), this.#column(x + width)];
    const [top, bottom] = [this.#row(y), this.#row(y + height)];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) visit(row * this.#across + column);
    }
  }
}

/** What lies outside belongs to the cells at the edge. */
function cellOf(share: number, count: number): number {
  return clampTo(Math.floor(share * count), 0, count - 1);
}
