import { type Adjacency, adjacencyOf, degree, endsOf } from "#web/graph/adjacency.ts";
import { isJobType } from "#web/graph/hops.ts";
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
  const boxes = Array.from(model.nodes.keys(), (id): Box => ({ key: `e${id}`, members: [id] }));
  const boxOf = new Map(boxes.map(({ members }, at) => [members[0]!, at]));
  const lines = new Lines();
  for (const { source, target } of model.edges) {
    const [from, to] = [boxOf.get(source), boxOf.get(target)];
    if (from !== undefined && to !== undefined) lines.add(from, to);
  }
  return { boxes, lines };
}

/** The boxes of the roots, by index. */
export function rootBoxes(model: Model, boxes: readonly Box[]): number[] {
  const roots = new Set(model.roots);
  return boxes.flatMap(({ members }, at) => (roots.has(members[0]!) ? [at] : []));
}

/** A job with more lines than this between its inputs and its outputs stays a box: as lines nobody could follow it. */
const maxLinesOfJob = 40;

/**
 * Draws jobs as lines from the assets that they read to those that they write, also through several jobs in a row. A job
 * stays a box where nothing drawn leads to it or from it, where it is a root, and where it would be too many lines.
 */
export function jobsAsLines(model: Model, { boxes, lines }: Draft): Draft {
  const pairs = lines.pairs();
  const up = adjacencyOf(boxes.length, pairs, "to");
  const down = adjacencyOf(boxes.length, pairs, "from");
  const roots = new Set(model.roots);
  const mayBeLine = boxes.map(({ members }, at) => {
    const id = members[0]!;
    return isJobType(model.nodes.get(id)?.type) && !roots.has(id) && !model.truncatedAt.has(id) &&
      degree(up, at) * degree(down, at) <= maxLinesOfJob;
  });
  const [fed, feeds] = [reachedThrough(mayBeLine, down), reachedThrough(mayBeLine, up)];
  const asLine = mayBeLine.map((is, at) => is && fed[at]! && feeds[at]!);
  const place = new Int32Array(boxes.length).fill(-1);
  const remaining = boxes.filter((_, at) => !asLine[at]);
  for (let at = 0, next = 0; at < boxes.length; at++) if (!asLine[at]) place[at] = next++;
  const drawn = new Lines();
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [place[lines.from[at]!]!, place[lines.to[at]!]!];
    if (from >= 0 && to >= 0) drawn.add(from, to, lines.jobs[at]);
  }
  for (let from = 0; from < boxes.length; from++) {
    if (asLine[from]) continue;
    for (const [to, through] of waysThrough(from, asLine, down)) {
      drawn.add(place[from]!, place[to]!, through.flatMap((job) => boxes[job]!.members));
    }
  }
  return { boxes: remaining, lines: drawn };
}

/** Boxes to which a way leads that begins at one that must stay a box, and passes none of those. */
function reachedThrough(mayBeLine: readonly boolean[], next: Adjacency): boolean[] {
  const reached = mayBeLine.map(() => false);
  const stack = mayBeLine.flatMap((is, at) => (is ? [] : [at]));
  while (stack.length > 0) {
    for (const end of endsOf(next, stack.pop()!)) {
      if (reached[end]) continue;
      reached[end] = true;
      if (mayBeLine[end]) stack.push(end);
    }
  }
  return reached;
}

/** Boxes that lie behind the jobs which follow a box, each with the jobs on the ways to it. */
function waysThrough(
  from: number,
  asLine: readonly boolean[],
  down: Adjacency,
): Map<number, number[]> {
  const before = new Map<number, number[]>();
  const ends = new Set<number>();
  const jobs = Array.from(endsOf(down, from)).filter((end) => asLine[end]);
  const seen = new Set(jobs);
  for (const job of seen) {
    for (const end of endsOf(down, job)) {
      const known = before.get(end);
      if (known) known.push(job);
      else before.set(end, [job]);
      if (asLine[end]) seen.add(end);
      else ends.add(end);
    }
  }
  return new Map([...ends].map((end) => [end, jobsBefore(end, before)]));
}

function jobsBefore(end: number, before: ReadonlyMap<number, number[]>): number[] {
  const found = new Set(before.get(end));
  for (const job of found) for (const earlier of before.get(job) ?? []) found.add(earlier);
  return [...found].sort((a, b) => a - b);
}
