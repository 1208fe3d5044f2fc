import type { OrderingGraph } from "#web/graph/layout/ordering.ts";

/** Counts how often lines cross (Barth, Jünger and Mutzel 2002, with a Fenwick tree). */
export class Crossings {
  readonly #ordering: OrderingGraph;
  readonly #tree: Uint32Array;
  readonly #positions: Uint32Array;

  constructor(ordering: OrderingGraph) {
    const { starts, down } = ordering;
    let widest = 0;
    for (let c = 1; c < starts.length; c++) widest = Math.max(widest, starts[c]! - starts[c - 1]!);
    let max = 0;
    for (let n = 1; n < down.offsets.length; n++) {
      max = Math.max(max, down.offsets[n]! - down.offsets[n - 1]!);
    }
    this.#ordering = ordering;
    this.#tree = new Uint32Array(widest + 1);
    this.#positions = new Uint32Array(max);
  }

  count(): number {
    let crossings = 0;
    for (let column = 0; column + 2 < this.#ordering.starts.length; column++) {
      crossings += this.#after(column);
    }
    return crossings;
  }

  /** Crossings between a column and the next one. */
  #after(column: number): number {
    const { starts, sequence, positions, down } = this.#ordering;
    const width = starts[column + 2]! - starts[column + 1]!;
    const tree = this.#tree.fill(0, 0, width + 1);
    let crossings = 0;
    let lines = 0;
    for (let at = starts[column]!; at < starts[column + 1]!; at++) {
      const [first, last] = [down.offsets[sequence[at]!]!, down.offsets[sequence[at]! + 1]!];
      const indexes = this.#positions;
      for (let i = first; i < last; i++) {
        const place = positions[down.ends[i]!]!;
        indexes[i - first] = place;
        let above = 0;
        for (let t = place + 1; t > 0; t &= t - 1) above += tree[t]!;
        crossings += lines - above;
      }
      for (let i = 0; i < last - first; i++) {
        for (let t = indexes[i]! + 1; t <= width; t += t & -t) tree[t]!++;
      }
      lines += last - first;
    }
    return crossings;
  }
}
