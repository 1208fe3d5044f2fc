import { escaped } from "#web/graph/export/escaped.ts";
import type { SceneFrame } from "#web/graph/frames.ts";
import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import { rootTint } from "#web/graph/paint/boxes.ts";
import { card } from "#web/graph/paint/card.ts";
import { frameLook } from "#web/graph/paint/frames.ts";
import { rootPill } from "#web/graph/paint/roots.ts";
import { cutText, estimatedWidth } from "#web/graph/paint/text.ts";
import type { Theme } from "#web/graph/style.ts";

/** A length with at most one digit after the point. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The outline of a group with its name. */
export function frameSvg({ rect, name }: SceneFrame, theme: Theme): string {
  const { x, y, width, height } = rect;
  const { radius, inset, line, size, fill } = frameLook;
  const cut = cutText(name, width - 2 * inset, (part) => estimatedWidth(part, size));
  return `<g><title>${escaped(name)}</title><rect x="${short(x)}" y="${short(y)}" width="${
    short(width)
  }" height="${short(height)}" rx="${radius}" fill="${
    escaped(theme.muted)
  }" fill-opacity="${fill}" ` +
    `stroke="${escaped(theme.border)}"/><text x="${short(x + inset)}" y="${short(y + line)}" ` +
    `dominant-baseline="central" font-size="${size}" font-weight="600" fill="${
      escaped(theme.muted)
    }">${escaped(cut)}</text></g>`;
}

/** The initials of the first owner, and the dot of freshness. */
export function healthSvg(theme: Theme, width: number, health: BoxHealth | undefined): string {
  if (!health) return "";
  const y = card.name.y - 4;
  const owner = health.owners[0];
  const badge = owner === undefined
    ? ""
    : `<circle cx="${width - card.owner.right}" cy="${y}" r="${card.owner.radius}" fill="${
      escaped(theme.border)
    }"/><text x="${width - card.owner.right}" y="${y}" ` +
      `dominant-baseline="central" text-anchor="middle" font-size="${card.owner.size}" ` +
      `font-weight="600" fill="${escaped(theme.surface)}">${escaped(initialsOf(owner))}</text>`;
  if (!health.freshness) return badge;
  const right = owner === undefined ? card.dot.right : card.dot.beside;
  const colour = health.freshness === "FRESH" ? theme.changes.came : theme.alert;
  return `${badge}<circle cx="${width - right - card.dot.radius}" cy="${y}" ` +
    `r="${card.dot.radius}" fill="${escaped(colour)}"/>`;
}

/** The tint of the box where the question started, and the sign above it. */
export function rootSvg(theme: Theme, width: number, height: number): string {
  const { text, size, height: high, side, gap } = rootPill;
  const wide = estimatedWidth(text, size) + 2 * side;
  const accent = escaped(theme.accent);
  return `<rect width="${width}" height="${height}" rx="${card.radius}" fill="${accent}" ` +
    `fill-opacity="${rootTint}"/><rect x="${short((width - wide) / 2)}" y="${-gap - high}" ` +
    `width="${short(wide)}" height="${high}" rx="${high / 2}" fill="${accent}"/><text x="${
      width / 2
    }" y="${-gap - high / 2}" dominant-baseline="central" text-anchor="middle" ` +
    `font-size="${size}" font-weight="600" fill="${escaped(theme.onAccent)}">${text}</text>`;
}
