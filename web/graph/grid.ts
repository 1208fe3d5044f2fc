import type { Rect } from "#web/graph/geometry.ts";

/** Maximum number of cells of a grid. */
const maxCells = 65_536;

/** Things by the cells that their rectangles touch. Two counting passes, no list a cell. */
export class Grid {
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
      this.#area.width * this.#area.height / Math.min(Math.max(cells, 1), maxCells),
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
  return Math.min(Math.max(Math.floor(share * count), 0), count - 1);
}
