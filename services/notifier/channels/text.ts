import type { AlertEventType } from "#contract/alerts.ts";
import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";
import type { MessageKey, Texts } from "#platform/messages/texts.ts";

/** Address of the catalogue, and the language of the message. */
export interface Place {
  baseUrl: string;
  texts: Texts;
}

/** What happened, with who did it, in a sentence; null for a new alert, whose title says it. */
export function eventSentence(
  { event_type, updated_by }: AlertMessage,
  texts: Texts,
  person: (name: string) => string,
): string | null {
  if (event_type === "CREATED") return null;
  if (event_type === "UPDATED") return texts.text("alert.updated");
  const by = bySomebody.get(event_type);
  return by && updated_by
    ? texts.text(by, { person: person(updated_by) })
    : texts.text(eventKeys[event_type]);
}

const bySomebody: ReadonlyMap<AlertEventType, MessageKey> = new Map([
  ["RESOLVED", "alert.resolvedBy"],
  ["REOPENED", "alert.reopenedBy"],
]);

const eventKeys: Record<AlertEventType, MessageKey> = {
  CREATED: "alert.event.new",
  UPDATED: "alert.event.again",
  RESOLVED: "alert.event.resolved",
  RESOLVED_AUTOMATICALLY: "alert.event.resolvedAutomatically",
  REOPENED: "alert.event.reopened",
};

/** One of the further changes in a message, as one line. */
export function groupedEventText(
  { event_type, alert_type, event_at }: AlertMessage["grouped_events"][number],
  texts: Texts,
): string {
  return texts.text("alert.grouped", {
    event: texts.text(eventKeys[event_type]),
    type: texts.name(alert_type),
    time: event_at,
  });
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
