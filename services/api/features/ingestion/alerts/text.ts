import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { cutDescription } from "#metadata/catalogue/alerts.ts";

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
