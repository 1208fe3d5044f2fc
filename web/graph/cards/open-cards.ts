import type { CardHit, Cards } from "#web/graph/cards.ts";
import { datasetOf } from "#web/graph/cards/keys.ts";
import { OpenedCards } from "#web/graph/cards/opened.ts";
import { paintCards } from "#web/graph/cards/paint.ts";
import { cardsSvg } from "#web/graph/cards/svg.ts";
import type { Point } from "#web/graph/geometry.ts";
import type { Marks } from "#web/graph/marks.ts";
import type { PaintContext } from "#web/graph/paint/canvas-port.ts";
import type { Scene } from "#web/graph/scene.ts";
import { type Level, levelOf, type Theme } from "#web/graph/style.ts";

/** Opened cards as a drawing takes them: with how they are painted, and what a click on them means. */
export class OpenCards extends OpenedCards implements Cards {
  at(scene: Scene, box: number, point: Point, zoom: number): CardHit | null {
    const row = levelOf(zoom) === "near" ? this.rowAt(scene, box, point.y) : null;
    return row && (row.column ? { column: row.column.key } : "more");
  }

  boxesOf(column: string | null): ReadonlySet<string> | null {
    const path = this.path(column);
    return path && new Set([...path.columns].map((key) => `e${datasetOf(key)}`));
  }

  paint(painting: PaintContext, boxes: Uint32Array, level: Level): void {
    paintCards(this, painting, boxes, level);
  }

  svg(scene: Scene, theme: Theme, marks: Marks): string {
    return cardsSvg(this, scene, theme, marks);
  }
}
