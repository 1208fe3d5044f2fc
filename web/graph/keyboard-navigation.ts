import { rectOf, type Scene } from "#web/graph/scene.ts";

/** Where an arrow key leads: right to children, left to parents, up and down within the column. */
export type Move = "left" | "right" | "up" | "down";

/** The neighbours of each box along lines, built once per scene. */
export class KeyboardNavigation {
  readonly #scene: Scene;
  readonly #children: number[][];
  readonly #parents: number[][];
  readonly #rank: Uint32Array;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#children = scene.boxes.map(() => []);
    this.#parents = scene.boxes.map(() => []);
    for (const { from, to } of scene.lines) {
      if (from === to) continue;
      this.#children[from]!.push(to);
      this.#parents[to]!.push(from);
    }
    this.#rank = new Uint32Array(scene.boxes.length);
    scene.order.forEach((box, rank) => void (this.#rank[box] = rank));
  }

  children(box: number): readonly number[] {
    return this.#children[box]!;
  }

  parents(box: number): readonly number[] {
    return this.#parents[box]!;
  }

  /**
   * The next focus: -1 only in a scene without boxes. A box without children leads right to the nearest of the next
   * column; up and down go on in the column beside at its ends, so that down alone comes by every box.
   */
  next(from: number, move: Move): number {
    const { order } = this.#scene;
    if (order.length === 0) return -1;
    if (from < 0 || from >= order.length) return this.first();
    if (move === "up" || move === "down") {
      const step = move === "down" ? 1 : order.length - 1;
      return order[(this.#rank[from]! + step) % order.length]!;
    }
    const along = move === "right" ? this.#children[from]! : this.#parents[from]!;
    const target = this.#nearest(from, along);
    return target >= 0 ? target : this.#nearest(from, this.#adjacent(from, move));
  }

  /** Where the focus starts: a root, else the first box. */
  first(): number {
    const { boxes, order } = this.#scene;
    const root = boxes.findIndex((box) => box.root);
    return root >= 0 ? root : order[0] ?? -1;
  }

  /** The boxes of the nearest column on a side that has any; the box itself where the drawing ends. */
  #adjacent(from: number, move: "left" | "right"): ArrayLike<number> {
    const { order, columns } = this.#scene;
    const column = columns[from]!;
    const step = move === "right" ? 1 : -1;
    let at = this.#rank[from]!;
    while (at >= 0 && at < order.length && columns[order[at]!] === column) at += step;
    if (at < 0 || at >= order.length) return [from];
    const found: number[] = [];
    const adjacent = columns[order[at]!];
    for (; at >= 0 && at < order.length && columns[order[at]!] === adjacent; at += step) {
      found.push(order[at]!);
    }
    return found;
  }

  /** Of the boxes in the nearest column the one whose height is nearest; -1 of none. */
  #nearest(from: number, boxes: ArrayLike<number>): number {
    const { columns } = this.#scene;
    const y = rectOf(this.#scene, from).y;
    let [best, min] = [-1, [Infinity, Infinity] as const];
    for (let index = 0; index < boxes.length; index++) {
      const box = boxes[index]!;
      const far = [
        Math.abs(columns[box]! - columns[from]!),
        Math.abs(rectOf(this.#scene, box).y - y),
      ] as const;
      if (far[0] < min[0] || (far[0] === min[0] && far[1] < min[1])) {
        [best, min] = [box, far];
      }
    }
    return best;
  }
}
