import { type AlertEventType, alertTypeTexts } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";

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

/** One of the further changes in a message, as one line. */
export function groupedEventText(event: AlertMessage["grouped_events"][number]): string {
  return `${eventTexts[event.event_type]}: ${alertTypeTexts[event.alert_type]} (${event.event_at})`;
}

/** The newest of what was said of the alert, newest first. */
export function newestChunks(message: AlertMessage, max: number): string[] {
  return [...message.alert_chunks]
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, max).map((chunk) => chunk.description);
}

/** Each owner once, by first appearance, an owner with two titles twice. */
export function ownersOf(entities: readonly NotifiedEntity[]) {
  const owners = entities.flatMap((entity) => entity.owners);
  return [
    ...new Map(owners.map((o) => [JSON.stringify([o.owner_name, o.title_name]), o])).values(),
  ];
}
