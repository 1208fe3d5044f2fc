import type { AlertType } from "#contract/alerts.ts";
import type { NewAlert } from "#metadata/alerts.ts";
import { chunksOf } from "#metadata/alerts.ts";

/** What at most one OPEN alert is about. */
export interface AlertKey {
  entityId: number;
  type: AlertType;
  /** The test of a FAILED_DQ_TEST alert; else null. */
  messengerId: number | null;
}

export interface OpenAlert extends AlertKey {
  id: number;
}

/** Texts of a failure, one for each piece of it; null for a success. */
export type Sign = string[] | null;

/** What a part says of one key. */
export interface Track {
  key: AlertKey;
  /** The alert that is OPEN now. */
  open: OpenAlert | null;
  /** False: a failure neither raises nor stacks. */
  mayRaise: boolean;
  /** Failures and successes, in the order in which they happened. */
  signs: Sign[];
}

/** What becomes of alerts; to be done in this order. */
export interface AlertPlan {
  stacks: { alert: OpenAlert; chunks: NewAlert["chunks"] }[];
  resolved: OpenAlert[];
  created: NewAlert[];
}

/**
 * Follows each key through its signs: a failure raises an alert, or stacks on the one that is open; a
 * success resolves it. What is raised and over within one part is made resolved. `at` is RFC 3339.
 */
export function planAlerts(tracks: Track[], at: string): AlertPlan {
  const plan: AlertPlan = { stacks: [], resolved: [], created: [] };
  for (const track of tracks) follow(track, at, plan);
  return plan;
}

function follow({ key, open, mayRaise, signs }: Track, at: string, plan: AlertPlan): void {
  let held = open;
  let texts: string[] = [];
  const settle = (resolved: boolean) => {
    if (texts.length > 0) {
      const chunks = chunksOf(texts, at);
      if (held) plan.stacks.push({ alert: held, chunks });
      else plan.created.push({ ...key, chunks, resolved });
    }
    if (held && resolved) plan.resolved.push(held);
    if (resolved) held = null;
    texts = [];
  };
  for (const sign of signs) {
    if (sign === null) settle(true);
    else if (mayRaise) { for (const text of sign) texts.push(text); }
  }
  settle(false);
}
