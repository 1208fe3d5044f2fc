import type { ColumnEdge } from "#web/graph/cards/content.ts";

/** What a chosen column is made from and what it goes into, over opened cards, at whatever distance. */
export interface ColumnPath {
  columns: ReadonlySet<string>;
  edges: ReadonlySet<ColumnEdge>;
}

/** The path of a column, both ways; of a column without edges itself alone. */
export function columnPath(edges: readonly ColumnEdge[], key: string): ColumnPath {
  const found = { columns: new Set([key]), edges: new Set<ColumnEdge>() };
  for (const [near, far] of [["from", "to"], ["to", "from"]] as const) {
    const adjacent = Map.groupBy(edges, (edge) => edge[near]);
    const reached = new Set([key]);
    for (const at of reached) {
      for (const edge of adjacent.get(at) ?? []) {
        found.edges.add(edge);
        reached.add(edge[far]);
      }
    }
    for (const each of reached) found.columns.add(each);
  }
  return found;
}
