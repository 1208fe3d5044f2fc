import { ask, type Schema } from "#web/api/client.ts";
import type { Filter } from "#web/features/activity/filter.ts";

export type ActivityEvent = Schema<"Activity">;

/** Events of one page, with the data sources of the entities that batches changed, by the id of the entity. */
interface EventPage {
  events: ActivityEvent[];
  sources: ReadonlyMap<number, string>;
}

export const pageSize = 40;

/** The events after one, newest first, of the whole catalogue or of one entity. */
export async function readEvents(
  filter: Filter,
  entity: number | undefined,
  after: ActivityEvent | undefined,
  signal: AbortSignal,
): Promise<EventPage> {
  const query = {
    ...filter,
    size: pageSize,
    last_event_id: after?.id,
    last_event_date_time: after?.created_at,
  };
  const events = entity === undefined
    ? (await ask("get", "/api/activity", { params: { query }, signal })).data
    : (await ask("get", "/api/dataentities/{data_entity_id}/activity", {
      params: { path: { data_entity_id: entity }, query },
      signal,
    })).data;
  return { events, sources: await sourcesOf(events, signal) };
}

async function sourcesOf(events: ActivityEvent[], signal: AbortSignal) {
  const ids = new Set(
    events.flatMap(({ system_event, data_entity: entity }) =>
      system_event && entity ? [entity.id] : []
    ),
  );
  if (ids.size === 0) return new Map<number, string>();
  const params = { query: { ids: [...ids] } };
  // What happened is shown without the names of sources where these cannot be read.
  const briefs = await ask("get", "/api/dataentities/details", { params, signal })
    .then(({ data }) => data.items, () => []);
  return new Map(
    briefs.flatMap(({ id, data_source: source }) => source ? [[id, source.name] as const] : []),
  );
}
