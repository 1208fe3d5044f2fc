import type { Layout, View } from "#web/graph/model.ts";

/** A view where it lies. */
export interface PlacedView {
  view: View;
  layout: Layout;
}

/** `LayoutInput.before` for `view`: the height at which each box lay, NaN for those that are new. */
export function ranksOf(view: View, old: PlacedView | null): Float32Array {
  const indexes = indexOf(old?.view);
  return Float32Array.from(view.nodes, ({ key }) => {
    const at = indexes.get(key);
    return at === undefined ? Number.NaN : old!.layout.y[at]!;
  });
}

/**
 * The new layout, moved as a whole so that the upper left corner of the box `key` stays where it was. Unchanged where the
 * box was not there before, or is not there now. Places can be negative afterwards; width and height stay.
 */
export function anchored(old: PlacedView | null, next: PlacedView, key: string): Layout {
  const before = indexOf(old?.view).get(key);
  const now = indexOf(next.view).get(key);
  if (before === undefined || now === undefined) return next.layout;
  return shifted(
    next.layout,
    old!.layout.x[before]! - next.layout.x[now]!,
    old!.layout.y[before]! - next.layout.y[now]!,
  );
}

function shifted(layout: Layout, dx: number, dy: number): Layout {
  const points = layout.points.map((value, at) => value + (at % 2 === 0 ? dx : dy));
  return { ...layout, x: layout.x.map((x) => x + dx), y: layout.y.map((y) => y + dy), points };
}

/** Where the boxes of a new view come from, in the order of its nodes. */
interface Moves {
  x: Float32Array;
  y: Float32Array;
}

/**
 * The old place of each box by its key; else that of the box which one of its entities was drawn in, so that members come
 * out of their fold, and a fold gathers them. A box of which nothing was drawn before appears where it is.
 */
export function movesOf(old: PlacedView | null, next: PlacedView): Moves {
  const { nodes } = next.view;
  const byKey = indexOf(old?.view);
  const byMember = new Map<number, number>();
  for (const [at, { members }] of old?.view.nodes.entries() ?? []) {
    for (const id of members) byMember.set(id, at);
  }
  const moves = { x: next.layout.x.slice(), y: next.layout.y.slice() };
  for (const [at, { key, members }] of nodes.entries()) {
    const member = members.find((id) => byMember.has(id)) ?? Number.NaN;
    const from = byKey.get(key) ?? byMember.get(member);
    if (from === undefined) continue;
    moves.x[at] = old!.layout.x[from]!;
    moves.y[at] = old!.layout.y[from]!;
  }
  return moves;
}

/**
 * The layout on the way from the old places (`share` 0) to its own (1): boxes move straight, and the points of a line
 * follow the boxes at its ends. `edges` are pairs of indices of boxes, as for the layout.
 */
export function between(layout: Layout, moves: Moves, edges: Uint32Array, share: number): Layout {
  if (share >= 1) return layout;
  const rest = 1 - share;
  const dx = layout.x.map((x, at) => (moves.x[at]! - x) * rest);
  const dy = layout.y.map((y, at) => (moves.y[at]! - y) * rest);
  const points = layout.points.slice();
  for (let e = 0; e + 1 < layout.offsets.length; e++) {
    const [first, last] = [layout.offsets[e]!, layout.offsets[e + 1]! - 1];
    const [from, to] = [edges[2 * e]!, edges[2 * e + 1]!];
    for (let at = first; at <= last; at++) {
      const far = last > first ? (at - first) / (last - first) : 0;
      points[2 * at]! += dx[from]! * (1 - far) + dx[to]! * far;
      points[2 * at + 1]! += dy[from]! * (1 - far) + dy[to]! * far;
    }
  }
  return {
    ...layout,
    x: layout.x.map((x, at) => x + dx[at]!),
    y: layout.y.map((y, at) => y + dy[at]!),
    points,
  };
}

function indexOf(view: View | undefined): Map<string, number> {
  return new Map(view?.nodes.map(({ key }, at) => [key, at]));
}
