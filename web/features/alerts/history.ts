const dayMs = 86_400_000;

/** Days that the history shows, the current one included. */
export const historyDays = 30;

interface AlertTimes {
  created_at: string;
}

/** When the first of the days begins that end with that of `now`, in milliseconds, by the clock of the one who looks. */
export function firstDay(now: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - historyDays + 1);
  return day.getTime();
}

/** How many alerts were created on each of the days. */
export function createdByDay(alerts: AlertTimes[], now: number) {
  const first = firstDay(now);
  const times = Array.from({ length: historyDays }, (_, at) => {
    const day = new Date(first);
    day.setDate(day.getDate() + at);
    return day.getTime();
  });
  const values = times.map(() => 0);
  for (const { created_at } of alerts) {
    // A day has 23 hours or 25 where clocks change.
    const at = times.findLastIndex((day) => day <= Date.parse(created_at));
    if (at >= 0 && Date.parse(created_at) < times[at]! + 1.1 * dayMs) values[at]!++;
  }
  return { times, values };
}
