import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import { clampTo, overlaps } from "#web/graph/geometry.ts";
import type { Level } from "#web/graph/style.ts";

/** The look of a frame, in lengths of the drawing; from further away its name is larger, up to `largest`. */
export const frameLook = {
  radius: 8,
  size: 11,
  largest: 18,
  inset: 10,
  line: 14,
  fill: 0.05,
} as const;

/** Outlines of groups with their names, below lines and boxes. */
export function paintFrames(painting: PaintContext, level: Level): void {
  const { brush, scene, theme, area, marks } = painting;
  const frames = scene.frames.filter(({ rect }) => overlaps(rect, area));
  if (frames.length === 0) return;
  brush.setLineDash([]);
  for (const frame of frames) {
    const { rect } = frame;
    const isLit = scene.frames[marks.frame?.index ?? -1] === frame;
    brush.strokeStyle = isLit ? theme.accent : theme.border;
    brush.lineWidth = Math.max(1, pixels(painting, isLit ? 2 : 1));
    brush.beginPath();
    brush.roundRect(rect.x, rect.y, rect.width, rect.height, frameLook.radius);
    brush.globalAlpha = frameLook.fill;
    brush.fillStyle = theme.muted;
    brush.fill();
    brush.globalAlpha = 1 - fadedAlpha;
    brush.stroke();
  }
  brush.globalAlpha = 1;
  if (level === "far") return;
  const { size, largest } = frameLook;
  const font = `600 ${clampTo(pixels(painting, size), size, largest)}px ${theme.font}`;
  brush.font = font;
  brush.fillStyle = theme.muted;
  brush.textBaseline = "middle";
  brush.textAlign = "left";
  for (const { name, rect } of frames) {
    const width = rect.width - 2 * frameLook.inset;
    const text = painting.cutter.cut(font, name, width, (t) => brush.measureText(t).width);
    brush.fillText(text, rect.x + frameLook.inset, rect.y + frameLook.line);
  }
}
