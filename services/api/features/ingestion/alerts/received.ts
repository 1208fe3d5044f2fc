import { createHash } from "node:crypto";
import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import { cutDescription } from "#metadata/catalogue/alerts.ts";

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

const unnamed = "Distribution anomaly";

/**
 * Name and summary of an alert in one line, then its description, then its link. Its other labels
 * stand for annotations that are missing. `at` is when it started, in milliseconds.
 */
export function textOf(alert: RoutedAlert, at: number): string {
  const { labels = {}, annotations = {}, generatorURL } = alert;
  const name = textIn(labels.alertname);
  const summary = annotations.summary?.trim() ?? "";
  const details = (annotations.description || annotations.message || "").trim();
  const annotated = summary !== "" || details !== "";
  const said = annotated ? summary : labelsText(labels);
  const head = distinct([name || (annotated ? "" : unnamed), said]).join(": ");
  const lines = distinct([head, details, generatorURL ? pageOf(generatorURL, at) : ""]);
  return cutDescription(lines.join("\n"));
}

/** The link alone; a fixed text when there is none. */
export function linkOf(url: string | undefined, at: number): string {
  return url ? cutDescription(pageOf(url, at)) : unnamed;
}

/** The URL of the page that raised the alert, set to the time when it started. */
function pageOf(url: string, at: number): string {
  const moment = encodeURIComponent(new Date(at).toISOString().slice(0, 19).replace("T", " "));
  const hash = url.indexOf("#");
  const [page, fragment] = hash < 0 ? [url, ""] : [url.slice(0, hash), url.slice(hash)];
  const joint = page.includes("?") ? "&" : "?";
  return `${page}${joint}g0.moment_input=${moment}&g0.end_input=${moment}${fragment}`;
}

/** Labels that say which alert it is, not what. */
const identifying = new Set(["alertname", "entity_catrn", "entity_oddrn"]);

function labelsText(labels: Record<string, unknown>): string {
  return Object.entries(labels)
    .flatMap(([name, value]) => {
      const text = identifying.has(name) ? "" : textIn(value);
      return text ? [`${name}=${text}`] : [];
    })
    .sort().join(", ");
}

const textIn = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value).trim()
    : "";

const distinct = (texts: string[]) => [...new Set(texts)].filter((text) => text !== "");
