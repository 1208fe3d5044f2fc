import { createHash } from "node:crypto";
import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import { type AlertChunk, cutDescription } from "#metadata/catalogue/alerts.ts";

/** What the catalogue stores of a received alert. Times are RFC 3339. */
export interface Told {
  /** The entity that it names; null when it names none. */
  catrn: string | null;
  at: string;
  description: string;
  resolved: boolean;
  /** Identifies one firing alert across messages; null when nothing identifies it. */
  fingerprint: string | null;
}

/** Reads one alert; without a start time it starts at the time of receipt. */
export function readAlert(alert: RoutedAlert, receivedAt: number): Told {
  const { labels = {}, generatorURL, startsAt = receivedAt } = alert;
  return {
    catrn: labels.entity_catrn || labels.entity_oddrn || null,
    at: new Date(startsAt).toISOString(),
    description: describe(generatorURL, startsAt),
    resolved: alert.status === "resolved",
    fingerprint: fingerprintOf(alert),
  };
}

/** The URL of the page that raised the alert, set to the time when it started. */
function describe(url: string | undefined, at: number): string {
  if (!url) return "Distribution anomaly";
  const moment = encodeURIComponent(new Date(at).toISOString().slice(0, 19).replace("T", " "));
  const hash = url.indexOf("#");
  const [page, fragment] = hash < 0 ? [url, ""] : [url.slice(0, hash), url.slice(hash)];
  const joint = page.includes("?") ? "&" : "?";
  return cutDescription(
    `${page}${joint}g0.moment_input=${moment}&g0.end_input=${moment}${fragment}`,
  );
}

function fingerprintOf({ fingerprint, labels = {} }: RoutedAlert): string | null {
  const pairs = Object.entries(labels).filter(([, value]) => value !== "").sort(byName);
  if (!fingerprint && pairs.length === 0) return null;
  const identity = fingerprint ? [fingerprint] : pairs;
  return createHash("sha256").update(exactJson(identity)).digest("hex").slice(0, 32);
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0);

/** An open alert that an earlier call created. */
export interface OpenAlert {
  id: number;
  entityId: number | null;
  fingerprint: string;
}

/** An alert that a call creates; `resolved`: the same call also reports its end. */
export interface Raised {
  catrn: string | null;
  raisedAt: string;
  fingerprint: string | null;
  chunks: AlertChunk[];
  resolved: boolean;
}

/** What a call changes about an open alert. */
export interface Changed {
  alert: OpenAlert;
  /** New text beyond what the alert already says. */
  chunks: AlertChunk[];
  resolved: boolean;
}

export interface Plan {
  raised: Raised[];
  changed: Changed[];
  /** Number of alerts reported as resolved while none was open. */
  ignored: number;
}

/** Creates one alert for every alert received, whatever its status. */
export function eachOnItsOwn(told: Told[]): Plan {
  return { raised: told.map(raise), changed: [], ignored: 0 };
}

/**
 * A repeat of a firing alert extends the open one, and a resolved one closes it, in the order
 * received. If several are open already, the newest is extended and all are closed. `open` is in
 * order of creation.
 */
export function withoutRepeats(told: Told[], open: OpenAlert[], receivedAt: number): Plan {
  const plan: Plan = { raised: [], changed: [], ignored: 0 };
  const standing = new Map<string, (Raised | Changed)[]>();
  for (const alert of open) {
    const changed = { alert, chunks: [], resolved: false };
    plan.changed.push(changed);
    const same = standing.get(alert.fingerprint);
    if (same) same.push(changed);
    else standing.set(alert.fingerprint, [changed]);
  }
  const at = new Date(receivedAt).toISOString();
  for (const one of told) {
    const key = one.fingerprint ?? "";
    const known = standing.get(key) ?? [];
    if (one.resolved) {
      if (known.length === 0) plan.ignored++;
      for (const alert of known) alert.resolved = true;
      standing.delete(key);
    } else if (known.length > 0) {
      known.at(-1)!.chunks.push({ at, description: one.description });
    } else {
      const raised = raise(one);
      plan.raised.push(raised);
      if (one.fingerprint) standing.set(key, [raised]);
    }
  }
  plan.changed = plan.changed.filter(({ chunks, resolved }) => resolved || chunks.length > 0);
  return plan;
}

function raise({ catrn, at, fingerprint, description }: Told): Raised {
  return { catrn, raisedAt: at, fingerprint, chunks: [{ at, description }], resolved: false };
}
