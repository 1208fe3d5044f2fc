// What walks along a drawing and says where it is: loaded after the first picture.
import type { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";
import type { Scene } from "#web/graph/scene.ts";
import { t } from "#web/messages/text.ts";

export { KeyboardNavigation } from "#web/graph/keyboard-navigation.ts";
import { listText } from "#web/kit/numbers.ts";

/** A box in words, with its neighbours: what is read out when the focus comes to it. */
export function spoken(
  { boxes }: Scene,
  keyboardNavigation: KeyboardNavigation,
  index: number,
): string {
  const box = boxes[index]!;
  const states = [
    box.root && t("lineage.startOfDrawing"),
    box.change === "came" && t("lineage.cameSince"),
    box.change === "left" && t("lineage.goneSince"),
    box.alerts > 0 && t("lineage.openAlertsState"),
    box.stale && t("lineage.staleState"),
    box.hollow && t("lineage.knownByName"),
    box.deleted && t("lineage.deletedState"),
  ].filter(Boolean);
  const near = (list: readonly number[], hidden: number) => {
    const names = list.slice(0, 4).map((at) => boxes[at]!.label);
    const more = list.length - names.length + hidden;
    if (names.length + more === 0) return t("lineage.nothing");
    return listText([...names, ...(more > 0 ? [t("lineage.more", { count: more })] : [])]);
  };
  return [
    [box.label, box.detail, ...states].filter(Boolean).join(", "),
    t("lineage.fedBy", { names: near(keyboardNavigation.parents(index), box.left) }),
    t("lineage.feeds", { names: near(keyboardNavigation.children(index), box.right) }),
  ].join("; ");
}
