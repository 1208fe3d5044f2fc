/** One line of a report: a measurement and its yardstick from the same run. */
export interface Row {
  bench: string;
  engines: string;
  case: string;
  /** Unit of the figures: `ms`, `entities/s`, `MB`. */
  unit: string;
  ours: number;
  yardstick: number | null;
  /** `ours / yardstick`; below 1 is faster for times. */
  ratio: number | null;
  /** The goal in words; empty when the figure is only reported. */
  goal: string;
  met: boolean | null;
  note?: string;
}

/** Adds the ratio to a row, and whether `meetsGoal` finds the goal met. */
export function row(
  given: Omit<Row, "ratio" | "met">,
  meetsGoal?: (ratio: number | null, ours: number) => boolean,
): Row {
  const ratio = given.yardstick === null ? null : given.ours / given.yardstick;
  return { ...given, ratio, met: meetsGoal ? meetsGoal(ratio, given.ours) : null };
}

const round = (value: number | null) =>
  value === null || Number.isNaN(value)
    ? "–"
    : value >= 100
    ? value.toFixed(0)
    : value.toPrecision(3);

/** The rows as an aligned table. */
export function table(rows: Row[]): string {
  const head = ["bench", "engines", "case", "unit", "ours", "yardstick", "ratio", "goal", ""];
  const lines = rows.map((r) => [
    r.bench,
    r.engines,
    r.case,
    r.unit,
    round(r.ours),
    round(r.yardstick),
    round(r.ratio),
    r.goal,
    (r.met === null ? "" : r.met ? "met" : "MISSED") + (r.note ? ` ${r.note}` : ""),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...lines].map((line) => line[at]!.length)));
  return [head, ...lines]
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd())
    .join("\n");
}
