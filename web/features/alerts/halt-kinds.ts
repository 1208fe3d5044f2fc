import type { AlertType } from "#web/components/alerts.tsx";

/** Members of the configuration, with the type of alerts that each halts. */
export const haltKinds = [
  ["failed_job_halt_until", "FAILED_JOB"],
  ["failed_dq_test_halt_until", "FAILED_DQ_TEST"],
  ["incompatible_schema_halt_until", "BACKWARDS_INCOMPATIBLE_SCHEMA"],
  ["distribution_anomaly_halt_until", "DISTRIBUTION_ANOMALY"],
] as const satisfies readonly (readonly [string, AlertType])[];

export type HaltName = (typeof haltKinds)[number][0];

/** A switch of the form, and the moment that goes with it when it is on. */
export interface Halt {
  on: boolean;
  /** As an input of type `datetime-local` has it. */
  until: string;
}
