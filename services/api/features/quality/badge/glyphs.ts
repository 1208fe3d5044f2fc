/** Height of a glyph, and what a glyph takes with the blank after it, in units. */
export const glyphHeight = 7;
export const glyphAdvance = 6;

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
export const textWidth = (text: string) => text.length * glyphAdvance - 1;

/** Horizontal strokes of a text: place and length, in units. Letters without a glyph are blank. */
export function strokesOf(text: string): { x: number; y: number; length: number }[] {
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
