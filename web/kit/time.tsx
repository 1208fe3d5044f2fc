import { useEffect, useState } from "react";
import { t } from "#web/messages/text.ts";
import { locale } from "#web/messages/language.ts";

const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago (or ahead) `at` is, as of `now`; both in milliseconds. */
function relativeText(at: number, now: number): string {
  const seconds = (at - now) / 1_000;
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  if (unit === "second" && Math.abs(seconds) < 45) return t("kit.justNow");
  return relative.format(Math.round(seconds / size), unit);
}

/** About how long so many seconds are, in the largest unit that they fill: `3 hours`. */
export function durationText(
  seconds: number,
  unitDisplay: "long" | "narrow" = "long",
): string {
  const [unit, size] = steps.find(([, each]) => seconds >= each) ?? ["second", 1];
  const value = Math.max(Math.round(seconds / size), 1);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }).format(value);
}

/** The same in as few letters as the language has: `3h`. */
export function shortDuration(seconds: number): string {
  return durationText(seconds, "narrow");
}

/** A moment: how long ago in the text, exactly in the tooltip. `at`: ISO 8601. */
export function Time({ at, none }: { at: string | null | undefined; none?: string }) {
  const now = useMinute();
  if (!at) return <span className="soft">{none ?? t("kit.neverYet")}</span>;
  const moment = Date.parse(at);
  return <time dateTime={at} title={exact.format(moment)}>{relativeText(moment, now)}</time>;
}

/** The exact moment, for tables of what happened. */
export function exactTime(at: string): string {
  return exact.format(Date.parse(at));
}

const ticks = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time now, renewed each half minute by one timer for all. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    ticks.add(tick);
    timer ??= setInterval(() => ticks.forEach((one) => one()), 30_000);
    return () => {
      ticks.delete(tick);
      if (ticks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}
