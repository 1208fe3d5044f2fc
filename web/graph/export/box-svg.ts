import type { SceneFrame } from "#web/graph/frames.ts";
import type { Rect } from "#web/graph/geometry.ts";
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
  freshnessColour,
  iconOfMark,
  markColour,
  marksOf,
  stripeColour,
} from "#web/graph/paint/card.ts";
import { frameLook, nameLeft, roomOfMarks, rowLook } from "#web/graph/paint/framing.ts";
import { handleRect, hasHandle, rectOf, type Scene, type SceneBox } from "#web/graph/scene.ts";
import { changeColour, handle, rowHandle, type Theme } from "#web/graph/style.ts";
import { cutMiddle, cutText, escaped, estimatedWidth, tenths } from "#web/graph/text.ts";
import { lettersOf } from "#web/kit/technologies.ts";
import { t } from "#web/messages/text.ts";

/** A box with all that its card or its line shows. */
export function boxSvg(scene: Scene, theme: Theme, marks: Marks, index: number): string {
  const box = scene.boxes[index]!;
  const rect = rectOf(scene, index);
  const bits = marks.boxes[index]!;
  const accent = box.root || (bits & (mark.path | mark.selected)) !== 0;
  const style = `rx="${card.radius}" fill="${escaped(theme.surface)}" stroke="${
    escaped(accent ? theme.accent : changeColour(theme, box.change) ?? theme.border)
  }" stroke-width="${accent || box.change ? 2 : 1.25}"`;
  const title = [box.label, box.detail, ...marksOf(box, marks.health)].filter((part) =>
    part !== ""
  );
  const sheet = (by: number) =>
    `<rect x="${by}" y="${by}" width="${rect.width - by}" height="${rect.height}" ${style}/>`;
  return [
    `<g transform="translate(${tenths(rect.x)} ${tenths(rect.y)})"${opacity(bits)}><title>${
      escaped(title.join(", "))
    }</title>`,
    box.kind === "fold" ? sheet(8) + sheet(4) : "",
    `<rect width="${rect.width}" height="${rect.height}" ${style} stroke-dasharray="${
      borderDash[borderOf(box)].join(" ") || "none"
    }"/>`,
    box.root ? rootSvg(theme, rect) : "",
    `<rect y="${card.radius}" width="${card.stripe}" height="${
      rect.height - 2 * card.radius
    }" fill="${escaped(stripeColour(theme, marks, box))}"/>`,
    ...(box.form ? rowSvg(box, theme, marks, rect) : cardSvg(box, theme, marks, rect)),
    ...(["left", "right"] as const).filter((side) => hasHandle(scene, index, side))
      .map((side) => handleSvg(scene, theme, index, side)),
    "</g>",
  ].join("");
}

/** What stands on a card. */
function cardSvg(box: SceneBox, theme: Theme, marks: Marks, { width }: Rect): string[] {
  const states = marksOf(box, marks.health);
  const availableWidth = width - card.text.x - card.text.right;
  const shift = card.mark.size + card.mark.gap;
  const colour = escaped(stripeColour(theme, marks, box));
  return [
    iconSvg(box.icon, card.icon.x, card.icon.y, card.icon.size, colour),
    textSvg(box.label, card.name, availableWidth, theme.text, box.deleted, 600),
    textSvg(
      box.detail,
      card.detail,
      availableWidth - states.length * shift,
      theme.muted,
      false,
      400,
    ),
    ...states.map((icon, at) =>
      iconSvg(
        iconOfMark(icon),
        width - card.text.right - (states.length - at) * shift + card.mark.gap,
        card.detail.y - card.mark.size / 2,
        card.mark.size,
        escaped(markColour(theme, icon)),
      )
    ),
    logoSvg(theme, box.technology),
    healthSvg(theme, box, width, marks.health?.find(box)),
  ];
}

/** What stands in a box that is one line of text. */
function rowSvg(box: SceneBox, theme: Theme, marks: Marks, { width, height }: Rect): string[] {
  const states = marksOf(box, marks.health);
  const shift = rowLook.mark + rowLook.gap;
  const left = nameLeft(box);
  const availableWidth = width - left - rowLook.right - roomOfMarks(box, marks);
  const name = { x: left, y: height / 2, size: rowLook.size };
  const dot = freshnessDotSvg(theme, width - rowLook.right, height / 2, marks.health?.find(box));
  const end = width - rowLook.right - (dot === "" ? 0 : 2 * card.dot.radius + rowLook.gap);
  const { x, size } = card.icon;
  return [
    box.form === "tile"
      ? iconSvg(box.icon, x, (height - size) / 2, size, escaped(stripeColour(theme, marks, box)))
      : "",
    textSvg(box.label, name, availableWidth, theme.text, box.deleted, 400),
    dot,
    ...states.map((icon, at) =>
      iconSvg(
        iconOfMark(icon),
        end - (states.length - at) * shift + rowLook.gap,
        (height - rowLook.mark) / 2,
        rowLook.mark,
        escaped(markColour(theme, icon)),
      )
    ),
  ];
}

function iconSvg(icon: IconKey, x: number, y: number, size: number, colour: string): string {
  return `<use href="#i-${icon}" x="${tenths(x)}" y="${
    tenths(y)
  }" width="${size}" height="${size}" ` +
    `stroke="${colour}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function textSvg(
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
  const colour = freshnessColour(theme, health.freshness);
  return `<circle cx="${right - card.dot.radius}" cy="${y}" ` +
    `r="${card.dot.radius}" fill="${escaped(colour)}"/>`;
}

/** The tint of the box where the question started, and the sign above it. */
function rootSvg(theme: Theme, box: Rect): string {
  const text = t("graph.thisAsset");
  const { size, height, side, gap } = rootPill;
  const width = estimatedWidth(text, size) + 2 * side;
  const accent = escaped(theme.accent);
  return `<rect width="${box.width}" height="${box.height}" rx="${card.radius}" fill="${accent}" ` +
    `fill-opacity="${rootTint}"/><rect x="${tenths(box.width - width)}" y="${-gap - height}" ` +
    `width="${tenths(width)}" height="${height}" rx="${height / 2}" fill="${accent}"/><text x="${
      tenths(box.width - width / 2)
    }" y="${-gap - height / 2}" dominant-baseline="central" text-anchor="middle" ` +
    `font-size="${size}" font-weight="600" fill="${escaped(theme.onAccent)}">${
      escaped(text)
    }</text>`;
}

/** The outline of a group with its name. */
export function frameSvg({ rect, name }: SceneFrame, theme: Theme): string {
  const { x, y, width, height } = rect;
  const { radius, inset, line, size, fill } = frameLook;
  const cut = cutText(name, width - 2 * inset, (part) => estimatedWidth(part, size));
  return `<g><title>${escaped(name)}</title><rect x="${tenths(x)}" y="${tenths(y)}" width="${
    tenths(width)
  }" height="${tenths(height)}" rx="${radius}" fill="${
    escaped(theme.muted)
  }" fill-opacity="${fill}" ` +
    `stroke="${escaped(theme.border)}"/><text x="${tenths(x + inset)}" y="${tenths(y + line)}" ` +
    `dominant-baseline="central" font-size="${size}" font-weight="600" fill="${
      escaped(theme.muted)
    }">${escaped(cut)}</text></g>`;
}

/** How much is seen of what is marked so. */
export function opacity(bits: number): string {
  return bits & mark.faded ? ` opacity="${fadedAlpha}"` : "";
}
