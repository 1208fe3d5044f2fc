import { createHash } from "node:crypto";
import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import { linkOf, textOf } from "./text.ts";

/** What the catalogue reads of an alert that the router sent. Times are RFC 3339. */
export interface ReceivedAlert {
  /** The entity that it names; null when it names none. */
  catrn: string | null;
  /** Its start; the time of receipt when it gives none. */
  at: string;
  /** Its start; null when it gives none. */
  startsAt: string | null;
  /** Its end; null while it fires, or when it gives none. */
  endsAt: string | null;
  description: string;
  resolved: boolean;
  /** Identifies one firing alert across messages; null when nothing identifies it. */
  fingerprint: string | null;
}

/** Reads one alert; `linkOnly`: its text is the link alone, as published. */
export function readAlert(
  alert: RoutedAlert,
  receivedAt: number,
  linkOnly: boolean,
): ReceivedAlert {
  const { labels = {}, generatorURL, startsAt, endsAt } = alert;
  const start = startsAt ?? receivedAt;
  const resolved = alert.status === "resolved";
  return {
    catrn: labels.entity_catrn || labels.entity_oddrn || null,
    at: iso(start),
    startsAt: startsAt === undefined ? null : iso(startsAt),
    endsAt: resolved && endsAt !== undefined ? iso(endsAt) : null,
    description: linkOnly ? linkOf(generatorURL, start) : textOf(alert, start),
    resolved,
    fingerprint: fingerprintOf(alert),
  };
}

const iso = (at: number) => new Date(at).toISOString();

function fingerprintOf({ fingerprint, labels = {} }: RoutedAlert): string | null {
  const pairs = Object.entries(labels).filter(([, value]) => value !== "").sort(byName);
  if (!fingerprint && pairs.length === 0) return null;
  const identity = fingerprint ? [fingerprint] : pairs;
  return createHash("sha256").update(exactJson(identity)).digest("hex").slice(0, 32);
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0);
