import type { ImpactRow } from "#web/graph/export/impact.ts";
import type { Model } from "#web/graph/model.ts";
import type { Walkable } from "#web/graph/walkable.ts";
import { distancesFrom } from "#web/graph/walks.ts";

/**
 * The entities of a drawing by how far they are: the start, then what it feeds, then what feeds it, then what is
 * connected otherwise; equals by name.
 */
export function impactRows(model: Model, graph: Walkable): ImpactRow[] {
  const distances = distancesFrom(graph, model.roots);
  const rows = [...model.nodes.values()].map((node): ImpactRow => {
    const distance = distances.get(node.id);
    if (distance === undefined) return { node, side: "beside", distance: null };
    const side = distance === 0 ? "root" : distance > 0 ? "downstream" : "upstream";
    return { node, side, distance: Math.abs(distance) };
  });
  // A collator that is made once compares many times faster than the names themselves.
  const { compare } = new Intl.Collator();
  const place = { root: 0, downstream: 1, upstream: 2, beside: 3 } as const;
  return rows.sort((a, b) =>
    place[a.side] - place[b.side] || (a.distance ?? 0) - (b.distance ?? 0) ||
    compare(a.node.name, b.node.name) || a.node.id - b.node.id
  );
}

/** How far in words: `start`, `2 down`, `1 up`. */
export function distanceText({ side, distance }: ImpactRow): string {
  if (side === "root") return "Start";
  if (side === "beside") return "Beside";
  return `${distance} ${side === "downstream" ? "down" : "up"}`;
}
