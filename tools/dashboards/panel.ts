/** What a panel shows: its title, the unit of Grafana, and expressions of PromQL with the legend of each. */
export interface Panel {
  title: string;
  unit: "short" | "s" | "bytes" | "reqps" | "ops" | "percentunit" | "dateTimeAsIso";
  queries: { expr: string; legend: string }[];
}

/** A page of Grafana; `uid` stays what it is, since addresses and stars go by it. */
export interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

type Unit = Panel["unit"];

/** A panel of one expression; `{{label}}` in the legend. */
export function panel(title: string, unit: Unit, expr: string, legend = ""): Panel {
  return { title, unit, queries: [{ expr, legend }] };
}

/** 0 where nothing of the kind has happened: such a series begins with its first event. */
export const orNone = (expr: string) => `${expr} or on() vector(0)`;

const by = (labels: string) => labels === "" ? "" : ` by (${labels})`;
const legendOf = (labels: string) =>
  labels.split(", ").filter(Boolean).map((label) => `{{${label}}}`).join(" ");

/** Events a second of a counter, by these labels: `outcome, channel`. */
export function rateOf(title: string, counter: string, labels = ""): Panel {
  const expr = orNone(`sum${by(labels)} (rate(${counter}[5m]))`);
  return panel(title, "ops", expr, legendOf(labels));
}

/** Events within five minutes, for what is rare. */
export function countOf(title: string, counter: string, labels = ""): Panel {
  const expr = orNone(`sum${by(labels)} (increase(${counter}[5m]))`);
  return panel(title, "short", expr, legendOf(labels));
}

/** The largest value of a gauge over all processes; 0 while nothing measures it, where `none` says that this is true. */
export function gaugeOf(
  title: string,
  gauge: string,
  { labels = "", unit = "short", none = true }: { labels?: string; unit?: Unit; none?: boolean } =
    {},
): Panel {
  const expr = `max${by(labels)} (${gauge})`;
  return panel(title, unit, none ? orNone(expr) : expr, legendOf(labels));
}

/** The time that 95 of a hundred take, and that half of them take. */
export function timesOf(title: string, histogram: string, labels = ""): Panel {
  const within = `le${labels === "" ? "" : `, ${labels}`}`;
  const at = (share: number) => ({
    expr: orNone(
      `histogram_quantile(${share}, sum by (${within}) (rate(${histogram}_bucket[5m])))`,
    ),
    legend: `${legendOf(labels)} ${share * 100} %`.trim(),
  });
  return { title, unit: "s", queries: [at(0.95), at(0.5)] };
}
