import { impactCsv } from "#web/graph/export/impact.ts";
import type { Model } from "#web/graph/model.ts";
import type { Walkable } from "#web/graph/walkable.ts";
import { ownersOf } from "#web/features/lineage/briefs.ts";
import { download, fileName } from "#web/features/lineage/download.ts";
import { impactRows } from "#web/features/lineage/impact-rows.ts";

/** Hands the entities of a drawing to whoever uses the browser, with their owners. */
export async function saveRows(
  { model, graph }: { model: Model; graph: Walkable },
  title: string,
): Promise<void> {
  const rows = impactRows(model, graph);
  const owners = await ownersOf(rows.map(({ node }) => node.id));
  const listed = rows.map((row) => ({ ...row, owners: owners.get(row.node.id) }));
  download(new Blob([impactCsv(listed)], { type: "text/csv" }), fileName(title, "csv"));
}
