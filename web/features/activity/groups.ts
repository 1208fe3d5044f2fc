import type { ActivityEvent } from "#web/features/activity/events.ts";
import { t } from "#web/messages/text.ts";

/** Events that belong together, newest first. */
export interface EventGroup {
  events: ActivityEvent[];
  who: string;
  /** Different entities that they are about. */
  entities: number;
  /** False where events that are not read yet may belong to it. */
  complete: boolean;
}

/** Milliseconds between two events, below which they belong to one batch; the service groups alike. */
const gapMs = 5 * 60_000;

interface Grouping {
  sources: ReadonlyMap<number, string>;
  /** Of one entity, all that a batch changed is one group; else what it did to entities in the same way. */
  ofEntity: boolean;
  hasMore: boolean;
}

/** Who did it: a person, or the data source whose batch it was. */
export function whoOf(
  { created_by: by, system_event, data_entity }: ActivityEvent,
  sources: ReadonlyMap<number, string>,
): string {
  const person = by?.owner?.name ?? by?.identity.username;
  if (person) return person;
  if (!system_event) return t("activity.anonymous");
  return sources.get(data_entity?.id ?? 0) ?? t("activity.theCatalogue");
}

/** Groups events, which are newest first; groups are in the order of their newest ones. */
export function groupsOf(
  events: ActivityEvent[],
  { sources, ofEntity, hasMore }: Grouping,
): EventGroup[] {
  const groups: EventGroup[] = [];
  const open = new Map<string, EventGroup>();
  for (const event of events) {
    const who = whoOf(event, sources);
    // What people do to one entity, they do one by one.
    const kind = ofEntity && event.system_event ? "" : event.event_type;
    const key = JSON.stringify([who, event.system_event, kind]);
    const group = open.get(key);
    const isAlone = ofEntity && !event.system_event;
    if (group && !isAlone && gapTo(group, event) < gapMs) group.events.push(event);
    else {
      const made = { events: [event], who, entities: 1, complete: true };
      open.set(key, made);
      groups.push(made);
    }
  }
  const oldest = events.at(-1);
  for (const group of groups) {
    group.entities = new Set(group.events.map(({ data_entity: one }) => one?.id)).size;
    group.complete = !hasMore || !oldest || gapTo(group, oldest) >= gapMs;
  }
  return groups;
}

/** Milliseconds between the oldest event of a group and an older one. */
function gapTo({ events }: EventGroup, event: ActivityEvent): number {
  return Date.parse(events.at(-1)!.created_at) - Date.parse(event.created_at);
}
