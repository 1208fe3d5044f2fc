import type { Schema } from "#web/api/client.ts";

export type AlertType = Schema<"AlertType">;

const texts: Record<AlertType, string> = {
  FAILED_DQ_TEST: "Failed test",
  FAILED_JOB: "Failed job",
  BACKWARDS_INCOMPATIBLE_SCHEMA: "Breaking schema change",
  DISTRIBUTION_ANOMALY: "Distribution anomaly",
  DATA_SOURCE_CONNECTION_ERROR: "Source unreachable",
  AGENT_ERROR: "Agent error",
};
export const alertTypes = Object.keys(texts) as AlertType[];

/** What people call a type of alerts. */
export function alertTypeText(type: AlertType): string {
  return texts[type];
}
