import type { Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

type Run = Pick<Schema<"DataEntityRun">, "start_time" | "end_time">;
type Status = Schema<"DataEntityRunStatus">;
type EndedRun = Run & { status: Status };
const bad = new Set<Status>(["FAILED", "BROKEN"]);

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

/** Lengths of runs in series by how they ended, for a chart; the newest last. A run that has not ended has no length. */
export function durationsOf(runs: EndedRun[]) {
  const shown = runs.toReversed().filter((run) => durationOf(run) !== undefined);
  const lengths = (belongs: (status: Status) => boolean) =>
    shown.map((run) => belongs(run.status) ? durationOf(run)! : null);
  const [isBad, isGood] = [(of: Status) => bad.has(of), (of: Status) => of === "SUCCESS"];
  const series = [
    { name: t("quality.succeeded"), tone: "good" as const, values: lengths(isGood) },
    { name: t("quality.failedOrBroken"), tone: "bad" as const, values: lengths(isBad) },
    {
      name: t("quality.other"),
      tone: "neutral" as const,
      values: lengths((of) => !isBad(of) && !isGood(of)),
    },
  ];
  return {
    times: shown.map(({ start_time }) => Date.parse(start_time!)),
    series: series.filter(({ values }) => values.some((value) => value !== null)),
  };
}
