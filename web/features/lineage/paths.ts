import type { Model, View } from "#web/graph/model.ts";
import type { Walkable } from "#web/graph/walkable.ts";
import { fullPath, pathsBetween, type Subgraph } from "#web/graph/walks.ts";

// Loaded after the drawing: nothing is chosen before it is there.

/** Keys of the boxes and lines of a path. */
interface Highlight {
  boxes: ReadonlySet<string>;
  lines: ReadonlySet<string>;
}

/** Members of a fold that paths are looked for of. */
const maxMembers = 20;

/**
 * What is on a path: of one selected box everything that feeds it and that it feeds, of two everything between them.
 * Null where nothing is selected that is drawn; without boxes where there is no path.
 */
export function highlightOf(
  model: Model,
  graph: Walkable,
  view: View,
  selected: readonly string[],
): Highlight | null {
  const nodes = selected.map((key) => view.nodes.find((node) => node.key === key));
  const [first, second] = nodes.map((node) => node?.members.slice(0, maxMembers));
  if (!first || (selected.length > 1 && !second)) return null;
  const found: Subgraph[] = second
    ? first.flatMap((a) => second.map((b) => pathsBetween(graph, a, b)))
    : first.map((id) => fullPath(graph, id));
  return drawnAs(model, view, found);
}

function drawnAs(model: Model, view: View, found: Subgraph[]): Highlight {
  const boxOf = new Map<number, string>();
  for (const { key, members } of view.nodes) for (const id of members) boxOf.set(id, key);
  const [boxes, lines, ids] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for (const { nodes, edges } of found) {
    for (const id of nodes) {
      ids.add(id);
      const box = boxOf.get(id);
      if (box) boxes.add(box);
    }
    for (const at of edges) {
      const { source, target } = model.edges[at]!;
      const [from, to] = [boxOf.get(source), boxOf.get(target)];
      if (from && to) lines.add(`${from}>${to}`);
    }
  }
  for (const { key, from, to, jobs } of view.edges) {
    if (jobs.some((id) => ids.has(id)) && boxes.has(from) && boxes.has(to)) lines.add(key);
  }
  return { boxes, lines };
}
