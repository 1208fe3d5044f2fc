import type { LineageState } from "#web/features/lineage/address.ts";
import type { Walkable } from "#web/graph/adjacency.ts";
import { classOf } from "#web/graph/icons.ts";
import type { LineageNode, Model, View } from "#web/graph/model.ts";
import { fullPath, pathsBetween, type Subgraph } from "#web/graph/walks.ts";

export type Filters = Pick<LineageState, "classes" | "sources" | "alertsOnly">;

export function anyFilter({ classes, sources, alertsOnly }: Filters): boolean {
  return classes.length > 0 || sources.length > 0 || alertsOnly;
}

/** Whether an entity is what the filters ask for. */
export function matches(node: LineageNode, { classes, sources, alertsOnly }: Filters): boolean {
  return (classes.length === 0 || classes.includes(classOf(node))) &&
    (sources.length === 0 || (node.source !== null && sources.includes(node.source.id))) &&
    (!alertsOnly || node.hasAlerts);
}

/** Keys of the boxes none of whose entities the filters ask for; null without filters. */
export function dimmedBy(model: Model, view: View, filters: Filters): ReadonlySet<string> | null {
  if (!anyFilter(filters)) return null;
  const found = new Set<string>();
  for (const { key, members } of view.nodes) {
    const some = members.some((id) => {
      const node = model.nodes.get(id);
      return node && matches(node, filters);
    });
    if (!some) found.add(key);
  }
  return found;
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
) {
  const nodes = selected.map((key) => view.nodes.find((node) => node.key === key));
  const [first, second] = nodes.map((node) => node?.members.slice(0, maxMembers));
  if (!first || (selected.length > 1 && !second)) return null;
  const found: Subgraph[] = second
    ? first.flatMap((a) => second.map((b) => pathsBetween(graph, a, b)))
    : first.map((id) => fullPath(graph, id));
  return drawnAs(model, view, found);
}

/** Keys of the boxes and lines of some paths. */
function drawnAs(model: Model, view: View, found: Subgraph[]) {
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
