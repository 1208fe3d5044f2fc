import { noun, plural, words } from "#web/kit/numbers.ts";
import type { LineageNode } from "#web/graph/model.ts";
import { t } from "#web/messages/text.ts";

/** The words of the drawing, so that they can be those of another language. */
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

export const english = (): Labels => ({
  kind: (node) => words(nameOf(node)),
  members: (count, alike, isOneType) => plural(count, isOneType ? noun(nameOf(alike)) : "asset"),
  group: t("graph.group"),
  jobs: (count) => `${count} jobs`,
});
