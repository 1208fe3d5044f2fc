import type { SLAColour } from "#contract/catalogue/quality.ts";

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

/** Height of a glyph, and what a glyph takes with the blank after it, in units. */
const glyphHeight = 7;
const glyphAdvance = 6;

/** Rows of the letters that badges use, the top first; a bit is a unit, the highest of five the leftmost. */
const glyphs = new Map<string, number[]>([
  ["0", [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]],
  ["1", [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]],
  ["2", [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]],
  ["3", [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110]],
  ["4", [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]],
  ["5", [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]],
  ["6", [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]],
  ["7", [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]],
  ["8", [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]],
  ["9", [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]],
  ["/", [0b00000, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b00000]],
  ["-", [0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000]],
  ["S", [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110]],
  ["L", [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111]],
  ["A", [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]],
]);

/** Units that a text takes. */
const textWidth = (text: string) => text.length * glyphAdvance - 1;

/** Horizontal strokes of a text: place and length, in units. Letters without a glyph are blank. */
function strokesOf(text: string): { x: number; y: number; length: number }[] {
  return [...text].flatMap((letter, place) =>
    (glyphs.get(letter) ?? []).flatMap((row, y) =>
      runsOf(row).map(({ at, length }) => ({ x: place * glyphAdvance + at, y, length }))
    )
  );
}

function runsOf(row: number): { at: number; length: number }[] {
  const bits = row.toString(2).padStart(5, "0");
  return [...bits.matchAll(/1+/g)].map(({ 0: run, index }) => ({ at: index, length: run.length }));
}
