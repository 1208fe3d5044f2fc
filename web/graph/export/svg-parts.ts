import { lettersOf } from "#web/kit/technologies.ts";
import type { SceneFrame } from "#web/graph/frames.ts";
import { footerText } from "#web/graph/health-marks.ts";
import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import { rootTint } from "#web/graph/paint/boxes.ts";
import { card } from "#web/graph/paint/card.ts";
import { frameLook } from "#web/graph/paint/frames.ts";
import { rootPill } from "#web/graph/paint/roots.ts";
import { cutText, escaped, estimatedWidth } from "#web/graph/paint/text.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import type { Theme } from "#web/graph/style.ts";
import { t } from "#web/messages/text.ts";

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

/** The letters of a technology in a frame; nothing where it is not known. */
export function logoSvg(theme: Theme, technology: string | null): string {
  if (technology === null) return "";
  const { x, y, width, height, size, radius } = card.logo;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" stroke="${
    escaped(theme.border)
  }"/><text x="${x + width / 2}" y="${y + height / 2}" dominant-baseline="central" ` +
    `text-anchor="middle" font-size="${size}" font-weight="600" fill="${escaped(theme.muted)}">${
      escaped(lettersOf(technology))
    }</text>`;
}

/** How many columns it has, the initials of the first owner, and the dot of freshness. */
export function healthSvg(
  theme: Theme,
  box: SceneBox,
  width: number,
  health: BoxHealth | undefined,
): string {
  if (!health) return "";
  const y = card.name.y - 4;
  const columns = footerText(health, box);
  const footer = columns === ""
    ? ""
    : `<text x="${card.text.x}" y="${card.footer.y}" dominant-baseline="central" ` +
      `font-size="${card.footer.size}" fill="${escaped(theme.accent)}">${columns}</text>`;
  const owner = health.owners[0];
  const badge = owner === undefined
    ? ""
    : `<circle cx="${width - card.owner.right}" cy="${y}" r="${card.owner.radius}" fill="${
      escaped(theme.border)
    }"/><text x="${width - card.owner.right}" y="${y}" ` +
      `dominant-baseline="central" text-anchor="middle" font-size="${card.owner.size}" ` +
      `font-weight="600" fill="${escaped(theme.surface)}">${escaped(initialsOf(owner))}</text>`;
  const right = owner === undefined ? card.dot.right : card.dot.beside;
  return footer + badge + freshnessDotSvg(theme, width - right, y, health);
}

/** The dot of freshness that ends at `right`; nothing where it is not known. */
export function freshnessDotSvg(
  theme: Theme,
  right: number,
  y: number,
  health: BoxHealth | undefined,
): string {
  if (!health?.freshness) return "";
  const colour = health.freshness === "FRESH" ? theme.changes.came : theme.alert;
  return `<circle cx="${right - card.dot.radius}" cy="${y}" ` +
    `r="${card.dot.radius}" fill="${escaped(colour)}"/>`;
}

/** The tint of the box where the question started, and the sign above it. */
export function rootSvg(theme: Theme, width: number, height: number): string {
  const text = t("graph.thisAsset");
  const { size, height: high, side, gap } = rootPill;
  const wide = estimatedWidth(text, size) + 2 * side;
  const accent = escaped(theme.accent);
  return `<rect width="${width}" height="${height}" rx="${card.radius}" fill="${accent}" ` +
    `fill-opacity="${rootTint}"/><rect x="${short(width - wide)}" y="${-gap - high}" ` +
    `width="${short(wide)}" height="${high}" rx="${high / 2}" fill="${accent}"/><text x="${
      short(width - wide / 2)
    }" y="${-gap - high / 2}" dominant-baseline="central" text-anchor="middle" ` +
    `font-size="${size}" font-weight="600" fill="${escaped(theme.onAccent)}">${
      escaped(text)
    }</text>`;
}
