import type { AlertType } from "#contract/alerts.ts";
import type { NewAlert } from "#metadata/catalogue/alerts.ts";
import { chunksOf } from "#metadata/catalogue/alerts.ts";

/** Identifies an alert; at most one alert with a given key is OPEN. */
export interface AlertKey {
  entityId: number;
  type: AlertType;
  /** The test of a FAILED_DQ_TEST alert; null for other types. */
  messengerId: number | null;
}

export interface OpenAlert extends AlertKey {
  id: number;
}

/** What one run or schema means for an alert: the texts of a failure, or null for a success. */
type FailureTexts = string[] | null;

/** All findings of one chunk of a batch for one key. */
export interface KeyFindings {
  key: AlertKey;
  /** The alert that is OPEN now, if any. */
  open: OpenAlert | null;
  /** If false, a failure neither raises an alert nor adds to one. */
  mayRaise: boolean;
  /** Failures and successes in the order in which they happened. */
  findings: FailureTexts[];
}

/** Changes of alerts, to be applied in this order. */
interface AlertPlan {
  stacks: { alert: OpenAlert; chunks: NewAlert["chunks"] }[];
  resolved: OpenAlert[];
  created: NewAlert[];
}

/**
 * Applies the findings of each key in order: a failure raises an alert or adds chunks to the open
 * one; a success resolves it. An alert raised and resolved within one chunk is created as resolved.
 * `at` is RFC 3339.
 */
export function planAlerts(all: KeyFindings[], at: string): AlertPlan {
  const plan: AlertPlan = { stacks: [], resolved: [], created: [] };
  for (const findings of all) follow(findings, at, plan);
  return plan;
}

function follow({ key, open, mayRaise, findings }: KeyFindings, at: string, plan: AlertPlan) {
  let current = open;
  let texts: string[] = [];
  const settle = (resolved: boolean) => {
    if (texts.length > 0) {
      const chunks = chunksOf(texts, at);
      if (current) plan.stacks.push({ alert: current, chunks });
      else plan.created.push({ ...key, chunks, resolved });
    }
    if (current && resolved) plan.resolved.push(current);
    if (resolved) current = null;
    texts = [];
  };
  for (const finding of findings) {
    if (finding === null) settle(true);
    else if (mayRaise) { for (const text of finding) texts.push(text); }
  }
  settle(false);
}
