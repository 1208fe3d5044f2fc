import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import type { Tone } from "#web/kit/classes.ts";
import { t } from "#web/messages/text.ts";

/** The tests of a dataset in a few words: what failed, if anything did; undefined where it has none. */
export function testsText(
  report: Schema<"DataSetTestReport">,
): { text: string; tone: Tone } | undefined {
  const total = report.total ?? 0;
  if (total === 0) return undefined;
  const failed = (report.failed_total ?? 0) + (report.broken_total ?? 0);
  const passed = report.success_total ?? 0;
  if (failed > 0) {
    return { text: t("entity.ofTestsFailed", { failed: count(failed), total }), tone: "bad" };
  }
  const tone = passed === total ? "good" : "neutral";
  return { text: t("entity.ofTestsPassed", { passed: count(passed), total }), tone };
}

const dayMs = 24 * 60 * 60 * 1_000;

/** How often a dataset is read, with the days that are counted: "1,204 reads in 30 days". */
export function readsText({ reads, since, until }: Schema<"DatasetUsage">): string {
  const days = Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / dayMs));
  return t("entity.readsIn", { reads, days });
}
