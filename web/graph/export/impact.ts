import { type Cell, csvText } from "#web/graph/export/csv.ts";
import type { LineageNode } from "#web/graph/model.ts";

/** One entity of a lineage with how far it is from where the question started. */
export interface ImpactRow {
  node: LineageNode;
  side: "root" | "upstream" | "downstream" | "beside";
  /** Edges to the nearest root; null when none is reached. */
  distance: number | null;
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
];

/** What a lineage has an effect on, as CSV; the same rows that the panel lists. */
export function impactCsv(rows: Iterable<ImpactRow>): string {
  return csvText(header, cellsOf(rows));
}

function* cellsOf(rows: Iterable<ImpactRow>): Generator<Cell[]> {
  for (const { node, side, distance, owners } of rows) {
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
    ];
  }
}
