import type { Size } from "#web/graph/geometry.ts";
import type { View, ViewNode } from "#web/graph/model.ts";
import { boxSize, rowSize, tileHeight } from "#web/graph/style.ts";

/** Opened cards as far as a scene knows them; who paints it knows more (`cards.ts`). */
export interface SceneCards {
  /** Of the box with that key, at zoom 1; undefined for one that is not opened. */
  heightOf(key: string): number | undefined;
}

/** The room beside boxes that the labels of a view need. */
export function paddingOf(view: View): number {
  return view.edges.some(({ label }) => label !== "") ? 60 : 0;
}

type Sized = Pick<ViewNode, "key" | "form">;

/**
 * The size that the layout has to leave for each box of a view, where its lines end (next to its name), and the free space
 * around it where that is not the usual one.
 */
export function sizeIn(
  view: View,
  cards?: SceneCards | null,
): (node: Sized) => Size & { port: number; space?: number } {
  const width = boxSize.width + 2 * paddingOf(view);
  return (node) => {
    const height = heightIn(cards, node);
    const port = Math.min(height, boxSize.height) / 2;
    return { width, height, port, ...(height === rowSize.height && { space: rowSize.gap }) };
  };
}

/** An opened card is a whole one also among rows. */
export function heightIn(cards: SceneCards | null | undefined, { key, form }: Sized): number {
  const own = form === "row" ? rowSize.height : form === "tile" ? tileHeight : boxSize.height;
  return cards?.heightOf(key) ?? own;
}
