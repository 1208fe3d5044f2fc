import { type Row, row } from "../support/report.ts";

/** A measurement of the interface, judged by its budget and shown beside another library where there is one. */
export function measurementRow(
  name: string,
  unit: string,
  ours: number,
  max?: number,
  yardstick: number | null = null,
  note?: string,
): Row {
  const given = {
    bench: "web",
    engines: "embedded",
    case: name,
    unit,
    ours,
    yardstick,
    goal: max === undefined ? "" : max === 0 ? "none" : `≤ ${max} ${unit}`,
    ...(note && { note }),
  };
  return row(given, max === undefined ? undefined : () => ours <= max);
}

export const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The least of three runs: frames suffer from whatever else the machine does. */
export async function bestOfThree(run: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < 3; round++) values.push(await run());
  return Math.min(...values);
}
