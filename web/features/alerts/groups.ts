import type { Schema } from "#web/api/client.ts";

export type Alert = Schema<"Alert">;

/** Alerts of one entity, or of one data source where no entity is concerned. */
export interface Group {
  key: string;
  entity: Alert["data_entity"];
  source: Alert["data_source"];
  alerts: Alert[];
  /** Groups with open alerts that are upstream of this one: what it probably fails by. */
  causes: Group[];
}

/** A row of the list. */
export type Line = { key: string; group: Group; alert?: Alert };

/** For an entity, the ids of those that are known to be upstream of it. */
export type Upstream = ReadonlyMap<number, ReadonlySet<number>>;

const keyOf = ({ data_entity: entity, data_source: source }: Alert) =>
  entity ? `entity-${entity.id}` : `source-${source?.id ?? "none"}`;

/**
 * Groups alerts by what they are about. What fails upstream comes before what fails by it, each under the first of its
 * causes; otherwise they stay in the order of `alerts`.
 */
export function groupAlerts(alerts: Alert[], upstream: Upstream): Group[] {
  const groups = new Map<string, Group>();
  for (const alert of alerts) {
    const key = keyOf(alert);
    const { data_entity: entity, data_source: source } = alert;
    const group = groups.get(key) ?? { key, entity, source, alerts: [], causes: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  for (const group of all) group.causes = causesOf(group, all, upstream);
  return inOrderOfCauses(all);
}

function causesOf(group: Group, all: Group[], upstream: Upstream): Group[] {
  const above = (one: Group, other: Group) =>
    Boolean(one.entity && other.entity && upstream.get(other.entity.id)?.has(one.entity.id));
  return all.filter((one) =>
    one !== group && one.alerts.some(({ status }) => status === "OPEN") &&
    above(one, group) && !above(group, one)
  );
}

/** Those without causes in their order, each followed by all that fail by it and are not there yet. */
function inOrderOfCauses(all: Group[]): Group[] {
  const placed = new Set<Group>();
  for (const root of all.filter(({ causes }) => causes.length === 0)) {
    placed.add(root);
    const caused = all.filter((one) => one.causes.includes(root) && !placed.has(one));
    // What has fewer causes lies nearer to the root.
    caused.sort((a, b) => a.causes.length - b.causes.length);
    caused.forEach((one) => placed.add(one));
  }
  return [...placed, ...all.filter((one) => !placed.has(one))];
}

/** Rows: each group, then its alerts; where there is one only, it stands for its group. */
export function linesOf(groups: Group[]): Line[] {
  return groups.flatMap((group) => {
    const lines = group.alerts.map((alert) => ({ key: `alert-${alert.id}`, group, alert }));
    return lines.length > 1 ? [{ key: group.key, group }, ...lines] : lines;
  });
}

/** Days that the history shows, the current one included. */
export const historyDays = 30;

/** When the first of the days begins that end with that of `now`, in milliseconds, by the clock of the one who looks. */
export function firstDay(now: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - historyDays + 1);
  return day.getTime();
}

const dayMs = 86_400_000;

/** How many alerts were created on each of the days. */
export function createdByDay(alerts: Pick<Alert, "created_at">[], now: number) {
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
