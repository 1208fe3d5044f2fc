import type { SLAColour } from "#contract/catalogue/quality.ts";
import { glyphHeight, strokesOf, textWidth } from "#services/api/features/quality/badge/glyphs.ts";

/** Content of a badge. */
export interface Badge {
  colour: SLAColour;
  /** Number of evaluated tests, and of those that succeeded. */
  total: number;
  success: number;
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** A filled rectangle, in units. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: Rgb;
}

/** A picture, drawn in the order of its rectangles; the first covers all of it. */
export interface BadgeDrawing {
  /** In words, for who cannot see it. */
  label: string;
  /** In units. */
  width: number;
  height: number;
  rectangles: Rectangle[];
}

/** Pixels of a unit. */
export const scale = 2;

const grey: Rgb = [68, 68, 68];
const white: Rgb = [255, 255, 255];
const black: Rgb = [24, 24, 24];
const fills: Record<SLAColour, { back: Rgb; front: Rgb }> = {
  GREEN: { back: [46, 125, 50], front: white },
  YELLOW: { back: [249, 200, 14], front: black },
  RED: { back: [198, 40, 40], front: white },
};

/** Blank units next to and above a text. */
const gap = 4;
const above = 3;

/** `SLA`, and how many of the evaluated tests succeeded, on the colour of the SLA. */
export function drawBadge({ colour, total, success }: Badge): BadgeDrawing {
  const { back, front } = fills[colour];
  const label = total === 0 ? "-" : `${success}/${total}`;
  const height = glyphHeight + 2 * above;
  const [left, right] = [textWidth("SLA") + 2 * gap, textWidth(label) + 2 * gap];
  return {
    label: `SLA ${colour}: ${
      total === 0 ? "no test succeeded or failed" : `${success} of ${total} tests succeeded`
    }`,
    width: left + right,
    height,
    rectangles: [
      { x: 0, y: 0, width: left + right, height, fill: grey },
      { x: left, y: 0, width: right, height, fill: back },
      ...written("SLA", gap, white),
      ...written(label, left + gap, front),
    ],
  };
}

function written(text: string, at: number, fill: Rgb): Rectangle[] {
  return strokesOf(text).map(({ x, y, length }) => ({
    x: at + x,
    y: above + y,
    width: length,
    height: 1,
    fill,
  }));
}
