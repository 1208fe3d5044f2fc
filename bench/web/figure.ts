import { type Row, row } from "../support/report.ts";

/** A measurement of the interface, judged by its budget and shown beside another library where there is one. */
export function figure(
  name: string,
  unit: string,
  ours: number,
  most?: number,
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
    goal: most === undefined ? "" : most === 0 ? "none" : `≤ ${most} ${unit}`,
    ...(note && { note }),
  };
  return row(given, most === undefined ? undefined : () => ours <= most);
}

export const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The least of three runs: frames suffer from whatever else the machine does. */
export async function bestOfThree(run: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < 3; round++) values.push(await run());
  return Math.min(...values);
}
