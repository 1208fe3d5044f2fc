import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import { lettersOf } from "#web/kit/technologies.ts";
import { shortDuration } from "#web/kit/time.tsx";
import type { HealthMarks, MarkIcon } from "#web/graph/marks.ts";
import { card, freshnessColour, paintCircle } from "#web/graph/paint/card.ts";
import type { PaintContext } from "#web/graph/paint/canvas-port.ts";
import { rectOf, type SceneBox } from "#web/graph/scene.ts";
import { boxSize } from "#web/graph/style.ts";
import { t } from "#web/messages/text.ts";

/** How entities are, as cards show it; loaded once it is read. */
export class OpenHealthMarks implements HealthMarks {
  constructor(readonly of: ReadonlyMap<number, BoxHealth>) {}

  /** What is known of the entity of a box; of a fold nothing is shown. */
  find({ kind, members }: SceneBox): BoxHealth | undefined {
    return kind === "entity" ? this.of.get(members[0]!) : undefined;
  }

  roomBeside(box: SceneBox): number {
    const health = this.find(box);
    const owner = health?.owners.length ? 2 * card.owner.radius + 4 : 0;
    return owner + (health?.freshness ? 2 * card.dot.radius + 6 : 0);
  }

  icons(box: SceneBox): MarkIcon[] {
    const health = this.find(box);
    const { total = 0, passed = 0, failed = 0 } = health?.tests ?? {};
    return [
      ...(failed > 0 ? ["failing" as const] : []),
      ...(total > 0 && passed === total ? ["passing" as const] : []),
      ...(health?.isBelowAlert && box.alerts === 0 ? ["belowAlert" as const] : []),
    ];
  }

  run([job, ...others]: readonly number[]): { text: string; failed: boolean } | undefined {
    const last = job === undefined || others.length > 0 ? null : this.of.get(job)?.lastRun;
    if (!last) return undefined;
    const { status, at } = last;
    const failed = status === "FAILED" || status === "BROKEN";
    const sign = failed ? " ✕" : status === "SUCCESS" ? " ✓" : "";
    return { text: ` · ${shortDuration((Date.now() - at) / 1_000)}${sign}`, failed };
  }

  /** The letters of the technology, the initials of the first owner, and the dot of freshness. */
  paint(painting: PaintContext, index: number): void {
    paintLogo(painting, index);
    const health = this.find(painting.scene.boxes[index]!);
    if (!health) return;
    const { brush, scene, theme } = painting;
    const { x, y, width } = rectOf(scene, index);
    brush.font = `${card.footer.size}px ${theme.font}`;
    brush.fillStyle = theme.accent;
    const footer = footerText(health, scene.boxes[index]!);
    if (footer !== "") brush.fillText(footer, x + card.text.x, y + card.footer.y);
    const owner = health.owners[0];
    const middle = { x: x + width - card.owner.right, y: y + card.name.y - 4 };
    if (owner !== undefined) {
      brush.fillStyle = theme.border;
      paintCircle(painting, middle.x, middle.y, card.owner.radius);
      brush.font = `600 ${card.owner.size}px ${theme.font}`;
      brush.fillStyle = theme.surface;
      brush.textAlign = "center";
      brush.fillText(initialsOf(owner), middle.x, middle.y);
      brush.textAlign = "left";
    }
    if (!health.freshness) return;
    const right = owner === undefined ? card.dot.right : card.dot.beside;
    brush.fillStyle = freshnessColour(theme, health.freshness);
    paintCircle(painting, x + width - right - card.dot.radius, middle.y, card.dot.radius);
  }
}

/** How many columns it has, which open and close there; nothing for what has none. */
export function footerText({ columns }: BoxHealth, { height }: SceneBox): string {
  if (columns === 0) return "";
  return `${t("graph.columnCount", { count: columns })} ${height > boxSize.height ? "▴" : "▾"}`;
}

/** Letters in a frame without colour: that of a card means something else. */
function paintLogo({ brush, scene, theme }: PaintContext, index: number): void {
  const { technology } = scene.boxes[index]!;
  if (technology === null) return;
  const { x, y } = rectOf(scene, index);
  const { logo } = card;
  brush.setLineDash([]);
  brush.strokeStyle = theme.border;
  brush.lineWidth = 1;
  brush.beginPath();
  brush.roundRect(x + logo.x, y + logo.y, logo.width, logo.height, logo.radius);
  brush.stroke();
  brush.font = `600 ${logo.size}px ${theme.font}`;
  brush.fillStyle = theme.muted;
  brush.textAlign = "center";
  brush.fillText(lettersOf(technology), x + logo.x + logo.width / 2, y + logo.y + logo.height / 2);
  brush.textAlign = "left";
}
