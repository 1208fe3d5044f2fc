import type { Schema } from "#web/api/client.ts";

type Run = Pick<Schema<"DataEntityRun">, "start_time" | "end_time">;

/** Milliseconds that a run took; undefined while it runs, or where one end is not known. */
export function durationOf({ start_time: start, end_time: end }: Run): number | undefined {
  if (!start || !end) return undefined;
  const took = Date.parse(end) - Date.parse(start);
  return took >= 0 ? took : undefined;
}

const units: [name: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** Short text of a duration, in its two largest units: `2 min 5 s`; below a second in milliseconds. */
export function durationText(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first < 0) return `${Math.round(ms)} ms`;
  const [name, size] = units[first]!;
  const next = units[first + 1];
  const rest = next ? Math.floor((ms % size) / next[1]) : 0;
  return `${Math.floor(ms / size)} ${name}${rest > 0 ? ` ${rest} ${next![0]}` : ""}`;
}

/** Heights of bars from 0 to 1, of the longest; a run of unknown length gets the lowest. */
export function heightsOf(runs: Run[]): number[] {
  const lengths = runs.map((run) => durationOf(run) ?? 0);
  const longest = lengths.reduce((max, one) => Math.max(max, one), 0);
  return lengths.map((one) => Math.max(0.06, longest > 0 ? one / longest : 1));
}
