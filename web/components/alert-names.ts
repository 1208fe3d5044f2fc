import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";

export type AlertType = Schema<"AlertType">;

export const alertTypes: readonly AlertType[] = [
  "FAILED_DQ_TEST",
  "FAILED_JOB",
  "BACKWARDS_INCOMPATIBLE_SCHEMA",
  "DISTRIBUTION_ANOMALY",
  "DATA_SOURCE_CONNECTION_ERROR",
  "AGENT_ERROR",
];

/** What people call a type of alerts. */
export function alertTypeText(type: AlertType): string {
  return words(type);
}
