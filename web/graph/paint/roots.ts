import { type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import { rectOf } from "#web/graph/scene.ts";
import { t } from "#web/messages/text.ts";

/** How the text above the box where the question started looks, in pixels of the screen. */
export const rootPill = { size: 11, height: 18, side: 8, gap: 3 } as const;

/** A sign above each box where the question started, at its right end: names of frames are at the left. It has the same size at every zoom. */
export function paintRoots(painting: PaintContext, seen: Uint32Array): void {
  const { brush, scene, theme } = painting;
  const roots = Array.from(seen).filter((box) => scene.boxes[box]!.root);
  if (roots.length === 0) return;
  const text = t("graph.thisAsset");
  brush.font = `600 ${pixels(painting, rootPill.size)}px ${theme.font}`;
  brush.textBaseline = "middle";
  brush.textAlign = "center";
  const height = pixels(painting, rootPill.height);
  const width = brush.measureText(text).width + 2 * pixels(painting, rootPill.side);
  for (const box of roots) {
    const rect = rectOf(scene, box);
    const x = rect.x + rect.width - width / 2;
    const y = rect.y - pixels(painting, rootPill.gap) - height;
    brush.fillStyle = theme.accent;
    brush.beginPath();
    brush.roundRect(x - width / 2, y, width, height, height / 2);
    brush.fill();
    brush.fillStyle = theme.onAccent;
    brush.fillText(text, x, y + height / 2);
  }
  brush.textAlign = "left";
}
