import { type Cell, csvText } from "#web/graph/export/csv.ts";
import type { LineageNode } from "#web/graph/model.ts";
import type { Hops } from "#web/graph/walks.ts";

/** One entity of a lineage, with its direction and distance from where the question started. */
export interface ImpactRow {
  node: LineageNode;
  /** `both` in a cycle through the start; `beside`: connected some other way. */
  side: "root" | "upstream" | "downstream" | "both" | "beside";
  /** Hops to the nearest root, whichever way; null when there is none. */
  distance: number | null;
  /** The same each way. */
  hops: Hops;
  owners?: readonly string[];
}

const header = [
  "id",
  "name",
  "type",
  "classes",
  "source",
  "side",
  "distance",
  "owners",
  "status",
  "has_alerts",
  "is_stale",
  "is_hollow",
  "parents_count",
  "children_count",
  "upstream_distance",
  "downstream_distance",
  "complete",
];

/** The rows of the panel as CSV; every row says whether the list is complete. */
export function impactCsv(rows: Iterable<ImpactRow>, complete: boolean): string {
  return csvText(header, cellsOf(rows, complete));
}

function* cellsOf(rows: Iterable<ImpactRow>, complete: boolean): Generator<Cell[]> {
  for (const { node, side, distance, hops, owners } of rows) {
    yield [
      node.id,
      node.name,
      node.type,
      node.classes.join(" "),
      node.source?.name ?? null,
      side,
      distance,
      owners?.join("; ") ?? null,
      node.status,
      node.hasAlerts,
      node.stale,
      node.hollow,
      node.parents,
      node.children,
      hops.upstream,
      hops.downstream,
      complete,
    ];
  }
}
