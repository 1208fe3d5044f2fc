/** Free space of a layout, in pixels at zoom 1. */
export const gaps = {
  /** Between columns: room for lines to bend. */
  column: 80,
  /** Between boxes of a column. */
  row: 20,
  /** Around a line that passes a column. */
  line: 8,
  /** Between parts that no line connects. */
  component: 48,
  /** How far the loop of a box that feeds itself stands out; less than `row`. */
  loop: 12,
} as const;

/** Layouts are about so much wider than high, as screens are. */
export const aspect = 1.6;

/** The space that a frame needs around its content; nested frames need the same again. */
export const frameSpace = { top: 26, bottom: 10, side: 10 } as const;
