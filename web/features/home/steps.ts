import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { t } from "#web/messages/text.ts";

/** `waiting`: it goes on by itself. */
export type StepState = "done" | "waiting" | "open";

/** How far people are with describing: whether anybody added anything to an asset. */
export function describedState(
  { total_count: total, unfilled_count: unfilled }: Pick<
    Schema<"DataEntityUsageInfo">,
    "total_count" | "unfilled_count"
  >,
): { state: StepState; text?: string } {
  if (total === 0) return { state: "open" };
  const filled = total - unfilled;
  if (filled === 0) return { state: "open", text: t("home.noAssetHasAnythingThat") };
  return {
    state: "done",
    text: t("home.filledOf", { filled: count(filled), total: count(total) }),
  };
}
