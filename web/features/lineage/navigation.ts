// What walks along a drawing and says where it is: loaded after the first picture.
import type { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";
import type { Scene } from "#web/graph/scene.ts";
import { t } from "#web/messages/text.ts";

export { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";

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
    if (names.length + more === 0) return t("lineage.nothing", { what });
    return `${what} ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
  };
  return [
    [box.label, box.detail, ...states].filter(Boolean).join(", "),
    near(keyboardNavigation.parents(index), box.left, "fed by"),
    near(keyboardNavigation.children(index), box.right, "feeds"),
  ].join("; ");
}
