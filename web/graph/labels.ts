import { counted, words } from "#web/kit/numbers.ts";
import type { LineageNode } from "#web/graph/model.ts";
import { t } from "#web/messages/text.ts";

/** The words of a drawing. */
export interface Labels {
  /** What an entity is: `Table`. */
  kind(node: LineageNode): string;
  /** How many are in a frame: `37 tables`, or `37 assets` where they differ. */
  members(count: number, alike: LineageNode, isOneType: boolean): string;
  /** Under the name of a folded group whose members are not loaded. */
  group: string;
  jobs(count: number): string;
}

const nameOf = (node: LineageNode) => node.type ?? node.classes[0] ?? "DATA_ENTITY";

export const labelsOfPage = (): Labels => ({
  kind: (node) => words(nameOf(node)),
  members: (count, alike, isOneType) =>
    isOneType ? counted(count, nameOf(alike)) : t("graph.assetCount", { count }),
  group: t("graph.group"),
  jobs: (count) => t("graph.jobCount", { count }),
});
