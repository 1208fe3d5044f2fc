import { emptyModel, type LineageFragment, merge } from "#web/graph/answers.ts";
import type { closed } from "#web/graph/forget.ts";
import { type Model, reach } from "#web/graph/model.ts";
import type { Side, Step } from "#web/features/lineage/address.ts";

/** Where a budget of the service ended a walk at a node with more neighbors than `from`, they come in pages. */
export const hub = { from: 100, page: 50 } as const;

/** What an answer adds, and how current and how whole it is. */
export interface Piece {
  loaded: LineageFragment;
  /** With what lies further away, where the answer has that too; only distances are taken from it. */
  beyond?: () => LineageFragment;
  /** Position of the event log that the graph had reached; null where an answer does not tell. */
  position: number | null;
  truncated: string | null;
}

/** Counts of the node that was asked about, which the service leaves out, where the answer has all its neighbours. */
export function withCounts(loaded: LineageFragment, id: number): LineageFragment {
  const bits = loaded.reached.get(id) ?? 0;
  const count = (end: "source" | "target") =>
    new Set(
      loaded.edges.filter((edge) => edge[end] === id).map((edge) =>
        `${edge.source}>${edge.target}`
      ),
    ).size;
  const parents = bits & reach.allParents ? count("target") : null;
  const children = bits & reach.allChildren ? count("source") : null;
  const nodes = loaded.nodes.map((node) =>
    node.id === id
      ? { ...node, parents: node.parents ?? parents, children: node.children ?? children }
      : node
  );
  return { ...loaded, nodes };
}

/** The count of neighbours on a side that was not asked for, so that the drawing can go on there. */
export function withSide(
  loaded: LineageFragment,
  id: number,
  side: Side,
  count: number,
): LineageFragment {
  const name = side === "upstream" ? "parents" : "children";
  const nodes = loaded.nodes.map((node) => (node.id === id ? { ...node, [name]: count } : node));
  return { ...loaded, nodes };
}

/**
 * The model that comes of the first answers and of each step in turn; what is not there yet is left out. `close` takes
 * a side away; a drawing loads it once one is closed.
 */
export function modelOf(
  first: readonly (Piece | undefined)[],
  steps: readonly { step: Step; piece: Piece | undefined }[],
  close?: typeof closed,
): Model {
  let model = emptyModel();
  for (const one of first) if (one) model = merge(model, one.loaded);
  for (const { step, piece } of steps) {
    if (step.kind === "close") {
      model = close?.(model, step.id, step.side) ?? model;
    } else if (piece) model = merge(model, piece.loaded);
  }
  return model;
}
