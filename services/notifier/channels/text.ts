import { type AlertEventType, alertTypeTexts } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";

/** Looked at of any text, UTF-16 units; no channel shows as much. */
const lookedAt = 64_000;

// Default_Ignorable_Code_Point is what nobody sees, such as the zero width space. Joiners and the
// selectors of variations are part of what people write: scripts and emoji are made with them.
const unseen = new RegExp(
  "(?![\\n\\t])\\p{Cc}|[\\u2028\\u2029]|" +
    "(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}",
  "gu",
);

/** Text as people wrote it, without what nobody sees, or hides or reorders other text; line ends are LF. */
export function clean(text: string): string {
  return text.slice(0, lookedAt).toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(unseen, "");
}

/** At most `max` UTF-16 units, a cut shown by an ellipsis; `unit` matches what must stay whole. */
export function cut(text: string, max: number, unit: RegExp = /[\s\S]/gu): string {
  if (text.length <= max) return text;
  let kept = 0;
  for (const { 0: piece } of text.matchAll(unit)) {
    if (kept + piece.length > max - 1) break;
    kept += piece.length;
  }
  return `${text.slice(0, kept)}…`;
}

export interface Fitting {
  /** Lines in all, when some were left away before. */
  total?: number;
  separator?: string;
}

/** The lines that fit into `max` UTF-16 units, and how many did not; the first is always kept. */
export function fitted(lines: string[], max: number, fitting: Fitting = {}): string {
  const { total = lines.length, separator = "\n" } = fitting;
  const closing = (
    shown: number,
  ) => (shown < total ? `${separator}… and ${total - shown} more` : "");
  let text = lines[0] ?? "";
  for (const [index, line] of lines.slice(1).entries()) {
    const next = `${text}${separator}${line}`;
    if (next.length + closing(index + 2).length > max) return text + closing(index + 1);
    text = next;
  }
  return text + closing(lines.length);
}

const shortWords = new Set(["ML", "API", "DAG"]);

/** A type of entities in words: `KAFKA_TOPIC` is "Kafka topic". */
export function entityTypeText(type: string): string {
  const words = type.split("_").map((word) => (shortWords.has(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** What an entity is called; one that is only referred to has no name, or none that can be seen. */
export function entityName(entity: NotifiedEntity): string {
  const name = clean(entity.name ?? "").trim();
  return visible.test(name) ? name : `entity ${entity.id}`;
}

/** What happened, with who did it, in a sentence; null for a new alert, whose title says it. */
export function eventSentence(message: AlertMessage, person: (name: string) => string) {
  const by = message.updated_by ? ` by ${person(message.updated_by)}` : "";
  const sentences: Record<AlertEventType, string | null> = {
    CREATED: null,
    UPDATED: "It happened again while the alert was open",
    RESOLVED: `Resolved${by}`,
    RESOLVED_AUTOMATICALLY: "Resolved automatically",
    REOPENED: `Reopened${by}`,
  };
  return sentences[message.event_type];
}

const eventTexts: Record<AlertEventType, string> = {
  CREATED: "New",
  UPDATED: "Again",
  RESOLVED: "Resolved",
  RESOLVED_AUTOMATICALLY: "Resolved automatically",
  REOPENED: "Reopened",
};

/** One of the further changes that a message tells of, in a line. */
export function groupedEventText(event: AlertMessage["grouped_events"][number]): string {
  return `${eventTexts[event.event_type]}: ${alertTypeTexts[event.alert_type]} (${event.event_at})`;
}

/** The newest of what was said of the alert, newest first. */
export function newestChunks(message: AlertMessage, most: number): string[] {
  return [...message.alert_chunks]
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, most).map((chunk) => chunk.description);
}

/** Each owner once, by first appearance, an owner with two titles twice. */
export function ownersOf(entities: readonly NotifiedEntity[]) {
  const owners = entities.flatMap((entity) => entity.owners);
  return [
    ...new Map(owners.map((o) => [JSON.stringify([o.owner_name, o.title_name]), o])).values(),
  ];
}

/** What a link leads to, by what it is to show: JSON, while there are no pages for people. */
const targets = { overview: "", alerts: "/alerts?page=1&size=30" };

/** Where a link on an entity leads. */
export function entityUrl(base: string, entity: NotifiedEntity, shows: keyof typeof targets) {
  const path = `/api/dataentities/${entity.id}${targets[shows]}`;
  return `${base.replace(/(?<!\/)\/+$/, "")}${path}`;
}
