import type { Content } from "#web/graph/cards/content.ts";
import type { Point } from "#web/graph/geometry.ts";
import type { Marks } from "#web/graph/marks.ts";
import type { PaintContext } from "#web/graph/paint/canvas-port.ts";
import type { Scene, SceneCards } from "#web/graph/scene.ts";
import type { Level, Theme } from "#web/graph/style.ts";

/** What a click on a row of an opened card means: a column by its key, or the list of those that have no row. */
export type CardHit = { column: string } | "more";

/** What opened cards add to a drawing. Only a drawing that has some loads how it is done (`cards/open-cards.ts`). */
export interface Cards extends SceneCards {
  readonly content: Content;
  /** What lies at a point of a box, seen at a zoom; null for its head, and where no rows are drawn. */
  at(scene: Scene, box: number, point: Point, zoom: number): CardHit | null;
  /** Keys of the boxes that the path of a column leads through; null where it is no column of an opened card. */
  boxesOf(column: string | null): ReadonlySet<string> | null;
  /** Paints rows, and lines between them, over boxes that are painted. */
  paint(painting: PaintContext, boxes: Uint32Array, level: Level): void;
  /** The same as a part of an SVG file. */
  svg(scene: Scene, theme: Theme, marks: Marks): string;
}

/** How groups are framed, and rows painted; loaded where there are some. */
type Framing = typeof import("#web/graph/framing.ts");

/** The opened cards of a scene, for who shows it; no others are ever put there. */
export function cardsOf({ cards }: Scene): Cards | undefined {
  return cards as Cards | null ?? undefined;
}

/** The framing of a scene, for who paints it; no other is ever put there. */
export function framingOf({ framing }: Scene): Framing | undefined {
  return framing as Framing | null ?? undefined;
}
