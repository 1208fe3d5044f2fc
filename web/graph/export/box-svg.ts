import type { SceneFrame } from "#web/graph/frames.ts";
import { footerText } from "#web/graph/health-marks.ts";
import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import type { IconKey } from "#web/graph/icons.ts";
import { mark, type Marks } from "#web/graph/marks.ts";
import { rootPill } from "#web/graph/paint.ts";
import { handleText, rootTint } from "#web/graph/paint/boxes.ts";
import { fadedAlpha } from "#web/graph/paint/canvas-port.ts";
import {
  borderDash,
  borderOf,
  card,
  iconOfMark,
  markColour,
  marksOf,
  stripeColour,
} from "#web/graph/paint/card.ts";
import { frameLook, roomOfMarks, rowLook, textOf } from "#web/graph/paint/framing.ts";
import { handleRect, hasHandle, rectOf, type Scene, type SceneBox } from "#web/graph/scene.ts";
import { changeColour, handle, rowHandle, type Theme } from "#web/graph/style.ts";
import { cutMiddle, cutText, escaped, estimatedWidth } from "#web/graph/text.ts";
import { lettersOf } from "#web/kit/technologies.ts";
import { t } from "#web/messages/text.ts";

/** How much is seen of what is marked so. */
export function opacity(bits: number): string {
  return bits & mark.faded ? ` opacity="${fadedAlpha}"` : "";
}

/** A box with all that its card or its line shows. */
export function boxSvg(scene: Scene, theme: Theme, marks: Marks, index: number): string {
  const box = scene.boxes[index]!;
  const { x, y, width, height } = rectOf(scene, index);
  const bits = marks.boxes[index]!;
  const accent = box.root || (bits & (mark.path | mark.selected)) !== 0;
  if (box.form) return rowSvg(scene, theme, marks, index);
  const style = `rx="${card.radius}" fill="${escaped(theme.surface)}" stroke="${
    escaped(accent ? theme.accent : changeColour(theme, box.change) ?? theme.border)
  }" stroke-width="${accent || box.change ? 2 : 1.25}"`;
  const colour = escaped(stripeColour(theme, marks, box));
  const states = marksOf(box, marks.health);
  const availableWidth = width - card.text.x - card.text.right;
  const shift = card.mark.size + card.mark.gap;
  const title = [box.label, box.detail, ...states].filter((part) => part !== "").join(", ");
  const sheet = (by: number) =>
    `<rect x="${by}" y="${by}" width="${width - by}" height="${height}" ${style}/>`;
  return [
    `<g transform="translate(${short(x)} ${short(y)})"${opacity(bits)}><title>${
      escaped(title)
    }</title>`,
    box.kind === "fold" ? sheet(8) + sheet(4) : "",
    `<rect width="${width}" height="${height}" ${style} stroke-dasharray="${
      borderDash[borderOf(box)].join(" ") || "none"
    }"/>`,
    box.root ? rootSvg(theme, width, height) : "",
    `<rect y="${card.radius}" width="${card.stripe}" height="${
      height - 2 * card.radius
    }" fill="${colour}"/>`,
    use(box.icon, card.icon.x, card.icon.y, card.icon.size, colour),
    text(box.label, card.name, availableWidth, theme.text, box.deleted, 600),
    text(box.detail, card.detail, availableWidth - states.length * shift, theme.muted, false, 400),
    ...states.map((icon, at) =>
      use(
        iconOfMark(icon),
        width - card.text.right - (states.length - at) * shift + card.mark.gap,
        card.detail.y - card.mark.size / 2,
        card.mark.size,
        escaped(markColour(theme, icon)),
      )
    ),
    logoSvg(theme, box.technology),
    healthSvg(theme, box, width, marks.health?.find(box)),
    ...(["left", "right"] as const).filter((side) => hasHandle(scene, index, side))
      .map((side) => handleSvg(scene, theme, index, side)),
    "</g>",
  ].join("");
}

/** A box that is one line of text. */
function rowSvg(scene: Scene, theme: Theme, marks: Marks, index: number): string {
  const box = scene.boxes[index]!;
  const { x, y, width, height } = rectOf(scene, index);
  const bits = marks.boxes[index]!;
  const accent = (bits & (mark.path | mark.selected)) !== 0;
  const stroke = accent ? theme.accent : changeColour(theme, box.change) ?? theme.border;
  const states = marksOf(box, marks.health);
  const title = [box.label, box.detail, ...states].filter((part) => part !== "").join(", ");
  const shift = rowLook.mark + rowLook.gap;
  const tone = escaped(stripeColour(theme, marks, box));
  const left = textOf(box);
  const room = width - left - rowLook.right - roomOfMarks(box, marks);
  const name = { x: left, y: height / 2, size: rowLook.size };
  const dot = freshnessDotSvg(theme, width - rowLook.right, height / 2, marks.health?.find(box));
  const end = width - rowLook.right - (dot === "" ? 0 : 2 * card.dot.radius + rowLook.gap);
  return [
    `<g transform="translate(${short(x)} ${short(y)})"${opacity(bits)}><title>${
      escaped(title)
    }</title>`,
    `<rect width="${width}" height="${height}" rx="${card.radius}" fill="${
      escaped(theme.surface)
    }" stroke="${escaped(stroke)}" stroke-width="${accent || box.change ? 2 : 1.25}" ` +
    `stroke-dasharray="${borderDash[borderOf(box)].join(" ") || "none"}"/>`,
    `<rect y="${card.radius}" width="${card.stripe}" height="${
      height - 2 * card.radius
    }" fill="${tone}"/>`,
    box.form === "tile"
      ? use(box.icon, card.icon.x, (height - card.icon.size) / 2, card.icon.size, tone)
      : "",
    text(box.label, name, room, theme.text, box.deleted, 400),
    dot,
    ...states.map((icon, at) =>
      use(
        iconOfMark(icon),
        end - (states.length - at) * shift + rowLook.gap,
        (height - rowLook.mark) / 2,
        rowLook.mark,
        escaped(markColour(theme, icon)),
      )
    ),
    ...(["left", "right"] as const).filter((side) => hasHandle(scene, index, side))
      .map((side) => handleSvg(scene, theme, index, side)),
    "</g>",
  ].join("");
}

function use(icon: IconKey, x: number, y: number, size: number, colour: string): string {
  return `<use href="#i-${icon}" x="${short(x)}" y="${
    short(y)
  }" width="${size}" height="${size}" ` +
    `stroke="${colour}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function text(
  content: string,
  { x = card.text.x, y, size }: { x?: number; y: number; size: number },
  availableWidth: number,
  colour: string,
  struck: boolean,
  weight: number,
): string {
  if (content === "") return "";
  const cut = cutMiddle(content, availableWidth, (part) => estimatedWidth(part, size));
  const line = struck ? ` text-decoration="line-through"` : "";
  return `<text x="${x}" y="${y}" dominant-baseline="central" font-size="${size}" ` +
    `font-weight="${weight}" fill="${escaped(colour)}"${line}>${escaped(cut)}</text>`;
}

function handleSvg(scene: Scene, theme: Theme, box: number, side: "left" | "right"): string {
  const own = rectOf(scene, box);
  const { x, y, width, height } = handleRect(scene, box, side);
  const [left, top] = [x - own.x, y - own.y];
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${height / 2}" ` +
    `fill="${escaped(theme.surface)}" stroke="${escaped(theme.border)}"/>` +
    `<text x="${left + width / 2}" y="${
      top + height / 2
    }" dominant-baseline="central" text-anchor="middle" ` +
    `font-size="${scene.boxes[box]!.form ? rowHandle.size : handle.size}" font-weight="600" fill="${
      escaped(theme.accent)
    }">${handleText(scene.boxes[box]!, side)}</text>`;
}

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
function logoSvg(theme: Theme, technology: string | null): string {
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
function healthSvg(
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
function freshnessDotSvg(
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
function rootSvg(theme: Theme, width: number, height: number): string {
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
