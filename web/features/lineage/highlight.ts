import { classOf } from "#web/graph/icons.ts";
import type { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";
import type { LineageNode, Model, View } from "#web/graph/model.ts";
import type { Scene } from "#web/graph/scene.ts";
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

/** A box in words, with its neighbours: what is read out when the focus comes to it. */
export function spoken(
  { boxes }: Scene,
  keyboardNavigation: KeyboardNavigation,
  index: number,
): string {
  const box = boxes[index]!;
  const states = [
    box.root && "start of this drawing",
    box.change === "came" && "came since then",
    box.change === "left" && "is gone since then",
    box.alerts > 0 && "open alerts",
    box.stale && "stale",
    box.hollow && "known by name only",
    box.deleted && "deleted",
  ].filter(Boolean);
  const near = (list: readonly number[], hidden: number, what: string) => {
    const names = list.slice(0, 4).map((at) => boxes[at]!.label);
    const more = list.length - names.length + hidden;
    if (names.length + more === 0) return `${what} nothing`;
    return `${what} ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
  };
  return [
    [box.label, box.detail, ...states].filter(Boolean).join(", "),
    near(keyboardNavigation.parents(index), box.left, "fed by"),
    near(keyboardNavigation.children(index), box.right, "feeds"),
  ].join("; ");
}
