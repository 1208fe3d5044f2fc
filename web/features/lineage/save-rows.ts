import type { QueryClient } from "@tanstack/react-query";
import { toast } from "#web/kit/toast.ts";
import { impactCsv } from "#web/graph/export/impact.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { ownersOf } from "#web/features/lineage/briefs.ts";
import { download, fileName } from "#web/features/lineage/download.ts";
import { impactQuestions, impactStateOf } from "#web/features/lineage/use-impact.ts";
import { impactOf } from "#web/features/lineage/impact-rows.ts";
import { queryFor, type Question } from "#web/features/lineage/load.ts";
import { t } from "#web/messages/text.ts";

/**
 * Downloads the impact of some roots with the owners. A list that is not complete says so in its name, in each row and
 * on the screen. Throws when something of it cannot be read.
 */
export async function saveRows(
  queries: QueryClient,
  roots: readonly number[],
  state: LineageState,
  title: string,
): Promise<void> {
  const { listed, beyond } = impactQuestions(roots, impactStateOf(state));
  const answersTo = (of: Question[]) =>
    Promise.all(of.map((one) => queries.fetchQuery(queryFor(one))));
  const { rows, complete } = impactOf(await answersTo(listed), await answersTo(beyond));
  const owners = await ownersOf(rows.map(({ node }) => node.id));
  const full = rows.map((row) => ({ ...row, owners: owners.get(row.node.id) }));
  const csv = new Blob([impactCsv(full, complete)], { type: "text/csv" });
  download(csv, fileName(complete ? title : t("lineage.partialFile", { title }), "csv"));
  if (complete) return;
  toast(t("lineage.theCsvIsPartial"), {
    about: t("lineage.serverLimit"),
    tone: "bad",
  });
}
