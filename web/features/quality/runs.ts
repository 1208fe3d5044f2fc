import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
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

const units = [
  ["quality.days", 86_400_000],
  ["quality.hours", 3_600_000],
  ["quality.minutes", 60_000],
  ["quality.seconds", 1_000],
] as const;

/** Short text of a duration, in its two largest units: `2 min 5 s`; below a second in milliseconds. */
export function durationText(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first < 0) return t("quality.milliseconds", { count: count(Math.round(ms)) });
  const [key, size] = units[first]!;
  const larger = t(key, { count: count(Math.floor(ms / size)) });
  const next = units[first + 1];
  const rest = next ? Math.floor((ms % size) / next[1]) : 0;
  if (!next || rest === 0) return larger;
  return t("quality.twoUnits", { larger, smaller: t(next[0], { count: count(rest) }) });
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
