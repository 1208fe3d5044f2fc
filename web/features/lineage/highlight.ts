import { classOf } from "#web/graph/icons.ts";
import type { LineageNode, Model, View } from "#web/graph/model.ts";
import type { LineageState } from "#web/features/lineage/address.ts";

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
