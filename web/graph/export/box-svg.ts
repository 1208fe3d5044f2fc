import type { SceneFrame } from "#web/graph/frames.ts";
import type { Point, Rect } from "#web/graph/geometry.ts";
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
import {
  cutMiddle,
  cutText,
  element,
  estimatedWidth,
  inTenths,
  tenths,
  textElement,
  titleElement,
} from "#web/graph/text.ts";
import { lettersOf } from "#web/kit/technologies.ts";
import { t } from "#web/messages/text.ts";

/** A box with all that its card or its line shows. */
export function boxSvg(scene: Scene, theme: Theme, marks: Marks, index: number): string {
  const box = scene.boxes[index]!;
  const rect = rectOf(scene, index);
  const { width, height } = rect;
  const bits = marks.boxes[index]!;
  const accent = box.root || (bits & (mark.path | mark.selected)) !== 0;
  const look = {
    rx: card.radius,
    fill: theme.surface,
    stroke: accent ? theme.accent : changeColour(theme, box.change) ?? theme.border,
    "stroke-width": accent || box.change ? 2 : 1.25,
  };
  const sheet = (by: number) =>
    element("rect", { x: by, y: by, width: width - by, height, ...look });
  const dash = borderDash[borderOf(box)].join(" ") || "none";
  const { radius: y, stripe } = card;
  const content = [
    titleElement([box.label, box.detail, ...marksOf(box, marks.health)].filter(Boolean).join(", ")),
    box.kind === "fold" ? sheet(8) + sheet(4) : "",
    element("rect", { width, height, ...look, "stroke-dasharray": dash }),
    box.root ? rootSvg(theme, rect) : "",
    element("rect", {
      y,
      width: stripe,
      height: height - 2 * y,
      fill: stripeColour(theme, marks, box),
    }),
    box.form ? rowSvg(box, theme, marks, rect) : cardSvg(box, theme, marks, rect),
    ...(["left", "right"] as const).filter((side) => hasHandle(scene, index, side))
      .map((side) => handleSvg(scene, theme, index, side)),
  ];
  const transform = `translate(${tenths(rect.x)} ${tenths(rect.y)})`;
  return element("g", { transform, opacity: opacityOf(bits) }, content.join(""));
}

function cardSvg(box: SceneBox, theme: Theme, marks: Marks, { width }: Rect): string {
  const states = marksOf(box, marks.health);
  const { x, right } = card.text;
  const availableWidth = width - x - right;
  const marked = states.length * (card.mark.size + card.mark.gap);
  return iconSvg(box.icon, card.icon, stripeColour(theme, marks, box)) +
    nameSvg(box, { ...card.name, x }, availableWidth, theme, 600) +
    cutSvg(box.detail, { ...card.detail, x }, availableWidth - marked, theme.muted) +
    marksSvg(theme, states, { right: width - right, middle: card.detail.y, ...card.mark }) +
    logoSvg(theme, box.technology) + healthSvg(theme, box, width, marks.health?.find(box));
}

/** What stands in a box that is one line of text. */
function rowSvg(box: SceneBox, theme: Theme, marks: Marks, { width, height }: Rect): string {
  const [x, middle] = [nameLeft(box), height / 2];
  const availableWidth = width - x - rowLook.right - roomOfMarks(box, marks);
  const right = width - rowLook.right;
  const dot = freshnessDotSvg(theme, right, middle, marks.health?.find(box));
  const end = right - (dot === "" ? 0 : 2 * card.dot.radius + rowLook.mark.gap);
  const icon = { ...card.icon, y: middle - card.icon.size / 2 };
  return (box.form === "tile" ? iconSvg(box.icon, icon, stripeColour(theme, marks, box)) : "") +
    nameSvg(box, { x, y: middle, size: rowLook.size }, availableWidth, theme, 400) + dot +
    marksSvg(theme, marksOf(box, marks.health), { right: end, middle, ...rowLook.mark });
}

/** Marks side by side, the last of which ends at `right`. */
function marksSvg(
  theme: Theme,
  states: ReturnType<typeof marksOf>,
  { right, middle, size, gap }: { right: number; middle: number; size: number; gap: number },
): string {
  return states.map((name, at) => {
    const x = right - (states.length - at) * (size + gap) + gap;
    return iconSvg(iconOfMark(name), { x, y: middle - size / 2, size }, markColour(theme, name));
  }).join("");
}

type Place = Point & { size: number };

const iconLook = { "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" };

function iconSvg(icon: IconKey, { x, y, size }: Place, stroke: string): string {
  const rect = inTenths({ x, y, width: size, height: size });
  return element("use", { href: `#i-${icon}`, ...rect, stroke, ...iconLook });
}

/** The name of a box; that of what is deleted is struck through. */
function nameSvg(box: SceneBox, at: Place, width: number, theme: Theme, weight: number): string {
  const struck = box.deleted ? "line-through" : undefined;
  return cutSvg(box.label, at, width, theme.text, {
    "font-weight": weight,
    "text-decoration": struck,
  });
}

function cutSvg(
  text: string,
  at: Place,
  width: number,
  colour: string,
  more: Parameters<typeof textElement>[3] = {},
): string {
  if (text === "") return "";
  const cut = cutMiddle(text, width, (part) => estimatedWidth(part, at.size));
  return textElement(cut, at, colour, more);
}

/** Bold letters in the middle of a rectangle. */
function lettersSvg(
  text: string,
  { x, y, width, height }: Rect,
  size: number,
  colour: string,
): string {
  const at = { x: x + width / 2, y: y + height / 2, size };
  return textElement(text, at, colour, { "font-weight": 600, "text-anchor": "middle" });
}

function handleSvg(scene: Scene, theme: Theme, box: number, side: "left" | "right"): string {
  const [own, place] = [rectOf(scene, box), handleRect(scene, box, side)];
  const rect = { ...place, x: place.x - own.x, y: place.y - own.y };
  const { size } = scene.boxes[box]!.form ? rowHandle : handle;
  const look = { rx: rect.height / 2, fill: theme.surface, stroke: theme.border };
  return element("rect", { ...rect, ...look }) +
    lettersSvg(handleText(scene.boxes[box]!, side), rect, size, theme.accent);
}

/** The letters of a technology in a frame; nothing where it is not known. */
function logoSvg(theme: Theme, technology: string | null): string {
  if (technology === null) return "";
  const { size, radius: rx, ...rect } = card.logo;
  return element("rect", { ...rect, rx, stroke: theme.border }) +
    lettersSvg(lettersOf(technology), rect, size, theme.muted);
}

/** How many columns it has, the initials of the first owner, and the dot of freshness. */
function healthSvg(
  theme: Theme,
  box: SceneBox,
  width: number,
  health: BoxHealth | undefined,
): string {
  if (!health) return "";
  const [x, y] = [width - card.owner.right, card.name.y - 4];
  const columns = footerText(health, box);
  const owner = health.owners[0];
  const badge = owner === undefined
    ? ""
    : element("circle", { cx: x, cy: y, r: card.owner.radius, fill: theme.border }) +
      lettersSvg(initialsOf(owner), { x, y, width: 0, height: 0 }, card.owner.size, theme.surface);
  const right = owner === undefined ? card.dot.right : card.dot.beside;
  return cutSvg(columns, { ...card.footer, x: card.text.x }, width, theme.accent) + badge +
    freshnessDotSvg(theme, width - right, y, health);
}

/** The dot of freshness that ends at `right`; nothing where it is not known. */
function freshnessDotSvg(
  theme: Theme,
  right: number,
  y: number,
  health: BoxHealth | undefined,
): string {
  if (!health?.freshness) return "";
  const { radius: r } = card.dot;
  const fill = freshnessColour(theme, health.freshness);
  return element("circle", { cx: right - r, cy: y, r, fill });
}

/** The tint of the box where the question started, and the sign above it. */
function rootSvg(theme: Theme, { width, height }: Rect): string {
  const text = t("graph.thisAsset");
  const { size, height: high, side, gap } = rootPill;
  const wide = estimatedWidth(text, size) + 2 * side;
  const pill = { x: width - wide, y: -gap - high, width: wide, height: high };
  const fill = theme.accent;
  return element("rect", { width, height, rx: card.radius, fill, "fill-opacity": rootTint }) +
    element("rect", { ...inTenths(pill), rx: high / 2, fill }) +
    lettersSvg(text, pill, size, theme.onAccent);
}

export function frameSvg({ rect, name }: SceneFrame, theme: Theme): string {
  const { radius: rx, inset, line, size, fill: opacity } = frameLook;
  const cut = cutText(name, rect.width - 2 * inset, (part) => estimatedWidth(part, size));
  const at = { x: rect.x + inset, y: rect.y + line, size };
  const look = { rx, fill: theme.muted, "fill-opacity": opacity, stroke: theme.border };
  const content = titleElement(name) + element("rect", { ...inTenths(rect), ...look }) +
    textElement(cut, at, theme.muted, { "font-weight": 600 });
  return element("g", {}, content);
}

/** How much is seen of what is marked so; undefined for all of it. */
export function opacityOf(bits: number): number | undefined {
  return bits & mark.faded ? fadedAlpha : undefined;
}
