import type { FoldReason, Model, Paged } from "#web/graph/model.ts";

/** A box while a view is being made. */
export interface Box {
  key: string;
  members: number[];
  reason?: FoldReason;
  /** Of a fold whose name is not that of a group. */
  label?: string;
  /** Neighbors that are loaded and not drawn, upstream and downstream. */
  paged?: Paged;
}

/** Boxes and lines while a view is being made; a step of folding turns one draft into the next. */
export interface Draft {
  boxes: Box[];
  lines: Lines;
}

/** Lines between boxes by index, each pair once, with the jobs that are drawn as the line and how many lines it bundles. */
export class Lines {
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly jobs: number[][] = [];
  readonly weights: number[] = [];
  readonly #at = new Map<number, number>();

  get count(): number {
    return this.from.length;
  }

  add(from: number, to: number, jobs: readonly number[] = [], weight = 1): void {
    const pair = from * 0x1000000 + to;
    let at = this.#at.get(pair);
    if (at === undefined) {
      this.#at.set(pair, at = this.from.length);
      this.from.push(from);
      this.to.push(to);
      this.jobs.push([]);
      this.weights.push(0);
    }
    this.weights[at]! += weight;
    const known = this.jobs[at]!;
    for (const job of jobs) known.push(job);
  }

  /** From, to, from, to … */
  pairs(): Uint32Array {
    const pairs = new Uint32Array(2 * this.count);
    for (let at = 0; at < this.count; at++) {
      pairs[2 * at] = this.from[at]!;
      pairs[2 * at + 1] = this.to[at]!;
    }
    return pairs;
  }
}

/** The model with each entity in a box of its own. */
export function draftOf(model: Model): Draft {
  const boxes: Box[] = [];
  const boxOf = new Map<number, number>();
  for (const id of model.nodes.keys()) {
    boxOf.set(id, boxes.push({ key: `e${id}`, members: [id] }) - 1);
  }
  const lines = new Lines();
  for (const { source, target } of model.edges) {
    const [from, to] = [boxOf.get(source), boxOf.get(target)];
    if (from !== undefined && to !== undefined) lines.add(from, to);
  }
  return { boxes, lines };
}
