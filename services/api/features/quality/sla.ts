import type { SLAColour } from "#contract/catalogue/quality.ts";

/** Severities of tests, the least first. */
export const severities = ["MINOR", "MAJOR", "CRITICAL"] as const;
export type Severity = (typeof severities)[number];

/** Tests of one severity whose last finished run was SUCCESS or FAILED. */
export interface SeverityResult {
  total: number;
  success: number;
}
export type SlaResults = Record<Severity, SeverityResult>;

/** How a dataset keeps what its tests demand. */
export interface Sla {
  colour: SLAColour;
  /** Weights. */
  total: number;
  success: number;
  weights: Record<Severity, number>;
}

/**
 * A minor test weighs 1, a major one as much as all minor ones together, a critical one as much as all
 * of the severities below it that has any.
 */
export function slaOf(tests: SlaResults): Sla {
  let unit = 1;
  const sla: Sla = {
    colour: colourOf(tests),
    total: 0,
    success: 0,
    weights: { MINOR: 0, MAJOR: 0, CRITICAL: 0 },
  };
  for (const severity of severities) {
    const { total, success } = tests[severity];
    const weight = total * unit;
    sla.weights[severity] = weight;
    sla.total += weight;
    sla.success += success * unit;
    if (total > 0) unit = weight;
  }
  return sla;
}

/** The colour of a dataset: the first rule that holds. */
export function colourOf(
  { MINOR: minor, MAJOR: major, CRITICAL: critical }: SlaResults,
): SLAColour {
  if (minor.total + major.total + critical.total === 0) return "YELLOW";
  if (failed(critical) > 0) return "RED";
  if (allFailed(major)) return "RED";
  if (major.total > 0 && major.success === 1 && allFailed(minor)) return "RED";
  if (failed(major) > 0) return "YELLOW";
  return allFailed(minor) ? "YELLOW" : "GREEN";
}

const failed = ({ total, success }: SeverityResult) => total - success;
const allFailed = ({ total, success }: SeverityResult) => total > 0 && success === 0;
