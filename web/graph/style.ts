import type { ClassKey } from "#web/graph/icons.ts";
import type { Size } from "#web/graph/geometry.ts";
import type { LineChange, ViewNode } from "#web/graph/model.ts";

/** Size of every box, at zoom 1. */
export const boxSize: Readonly<Size> = { width: 240, height: 64 };

/** A box that is one line of text, at zoom 1: its height, and the free space below it. */
export const rowSize = { height: 24, gap: 8 } as const;

/** The height of a job that is a box, at zoom 1. */
export const tileHeight = 40;

/** Drawings of at most so many boxes have cards; of more, each asset is a row. */
export const maxCards = 60;

/** The "+n" next to a box, at zoom 1: its size, the gap to the box, how far it reaches below it, and its font. */
export const handle = { width: 38, height: 22, gap: 4, below: 6, size: 13 } as const;

/** The same next to a row, which is lower. */
export const rowHandle = { width: 34, height: 18, gap: 4, below: 13, size: 12 } as const;

/**
 * How much is drawn: `far` blocks in the colour of their cards, `middle` names, `near` cards with icon, type, source
 * and marks.
 */
export type Level = "far" | "middle" | "near";

/** Drawings of at most so many boxes show names at every zoom: a block without a name says nothing. Larger ones are maps. */
export const alwaysNamed = 400;

/** Zooms from which on names and cards are drawn: names then have 9 pixels, cards 8. */
export const levelFrom = { middle: 0.36, near: 0.66 } as const;

export function levelOf(zoom: number): Level {
  if (zoom >= levelFrom.near) return "near";
  return zoom >= levelFrom.middle ? "middle" : "far";
}

/** What the colour of boxes says. */
export const colourings = ["type", "source", "owner", "freshness", "tests"] as const;
export type Colouring = (typeof colourings)[number];

/** Colours and font of a drawing, read from the custom properties of the page; any CSS colour. */
export interface Theme {
  background: string;
  surface: string;
  border: string;
  text: string;
  muted: string;
  line: string;
  /** Paths, selection and focus. */
  accent: string;
  /** Text and icons on the accent. */
  onAccent: string;
  alert: string;
  /** What became of boxes and lines between two times. */
  changes: Record<"came" | "left" | "elsewhere", string>;
  classes: Record<ClassKey, string>;
  /** A source has the colour at its id modulo their number. */
  sources: readonly string[];
  /** Families only, such as `system-ui, sans-serif`. */
  font: string;
}

/** The colour of what became of a box or a line; undefined where nothing did. */
export function changeColour(
  { changes }: Theme,
  change: ViewNode["change"] | LineChange["change"],
): string | undefined {
  if (change === undefined) return undefined;
  if (change === "came" || change === "added") return changes.came;
  return change === "left" || change === "removed" ? changes.left : changes.elsewhere;
}

/** The colour of a source in a theme; entities without one are muted. */
export function sourceColour(theme: Theme, source: number | null): string {
  if (source === null || theme.sources.length === 0) return theme.muted;
  return theme.sources[source % theme.sources.length]!;
}
