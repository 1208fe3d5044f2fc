import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { exactTime } from "#web/kit/time.tsx";
import { locale } from "#web/messages/language.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

export interface Share {
  name: string;
  value: number;
  /** From 0 to 1; undefined when the whole is not known. */
  share: number | undefined;
}

export interface FieldStatistics {
  shares: Share[];
  facts: [name: string, value: string][];
}

const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const percents = new Intl.NumberFormat(locale, { style: "percent" });
const counts = ["nulls_count", "unique_count", "true_count", "false_count"];
const names: Record<string, PlainKey> = {
  low_value: "structure.lowest",
  high_value: "structure.highest",
  mean_value: "structure.mean",
  median_value: "structure.median",
  max_length: "structure.longest",
  avg_length: "structure.averageLength",
  nulls_count: "structure.empty",
  unique_count: "structure.distinct",
  true_count: "structure.true",
  false_count: "structure.false",
};

/** The statistics of a field, whatever its kind; undefined when there are none. `rows`: of the dataset, if known. */
export function statisticsOf(
  stats: Schema<"DataSetFieldStat"> | null | undefined,
  rows: number | undefined,
): FieldStatistics | undefined {
  const [kind, statisticsOfKind] = Object.entries(stats ?? {}).find(([, one]) => one != null) ?? [];
  if (!kind || !statisticsOfKind) return undefined;
  const values = Object.entries(statisticsOfKind as Record<string, number | string | null>);
  const boolean = kind === "boolean_stats";
  const whole = boolean ? values.reduce((sum, [, value]) => sum + Number(value ?? 0), 0) : rows;
  const shares = values.filter(([name]) => counts.includes(name)).map(([name, value]): Share => ({
    name: nameOf(name),
    value: Number(value),
    share: whole ? Math.min(1, Number(value) / whole) : undefined,
  }));
  const facts = values.filter(([name, value]) => !counts.includes(name) && value !== null)
    .map(([name, value]): [string, string] => [nameOf(name), text(value!)]);
  return { shares, facts };
}

function nameOf(code: string): string {
  const key = names[code];
  return key ? t(key) : code;
}

/** Digits of integers beyond what a number holds were lost on the way; what is left is shown as it came. */
function text(value: number | string): string {
  if (typeof value === "number") return decimals.format(value);
  return Number.isNaN(Date.parse(value)) ? value : exactTime(value);
}

/** `12,345 (12%)`. */
export function shareText({ value, share: part }: Share): string {
  if (part === undefined) return count(value);
  const percent = part > 0 && part < 0.01 ? `<${percents.format(0.01)}` : percents.format(part);
  return `${count(value)} (${percent})`;
}
