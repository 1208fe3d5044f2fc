import { ask, type Schema } from "#web/api/client.ts";
import { activityEventTypes } from "#web/api/values.gen.ts";
import { idsOf, oneOf, type Params } from "#web/kit/search-params.ts";

export type ActivityEvent = Schema<"Activity">;

/** What the feed asks for. */
export interface Filter {
  begin_date: string;
  end_date: string;
  event_type?: Schema<"ActivityEventType">;
  type?: View;
  datasource_id?: number;
  namespace_id?: number;
  tag_ids?: number[];
  owner_ids?: number[];
  username?: string[];
}

const views = ["ALL", "MY_OBJECTS", "UPSTREAM", "DOWNSTREAM"] as const;
export type View = (typeof views)[number];

/** Days that are looked back when the address names none. */
export const usualDays = 30;

/** The filter of an address such as `?days=7&event=DESCRIPTION_UPDATED&source=3`, as of the end of `today`. */
export function filterOf(params: Params, today: Date): Filter {
  const end = new Date(today);
  end.setHours(24, 0, 0, 0);
  const days = Math.min(Math.max(Number(params.days) || usualDays, 1), 3_650);
  const ids = (name: string) => params[name] ? idsOf(params[name]) : undefined;
  return {
    begin_date: new Date(end.getTime() - days * 86_400_000).toISOString(),
    end_date: end.toISOString(),
    event_type: oneOf(params.event, activityEventTypes),
    type: oneOf(params.view, views),
    datasource_id: idsOf(params.source)[0],
    namespace_id: idsOf(params.namespace)[0],
    tag_ids: ids("tags"),
    owner_ids: ids("owners"),
    username: params.user ? [params.user] : undefined,
  };
}

/** Events that are read at once. */
export const pageSize = 40;

/** Events of one page, with the data sources of the entities that batches changed, by the id of the entity. */
interface EventPage {
  events: ActivityEvent[];
  sources: ReadonlyMap<number, string>;
}

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
    ? (await ask("get", "/api/activity", { query, signal })).data
    : (await ask("get", "/api/dataentities/{data_entity_id}/activity", {
      path: { data_entity_id: entity },
      query,
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
  // What happened is shown without the names of sources where these cannot be read.
  const briefs = await ask("get", "/api/dataentities/details", { query: { ids: [...ids] }, signal })
    .then(({ data }) => data.items, () => []);
  return new Map(
    briefs.flatMap(({ id, data_source: source }) => source ? [[id, source.name] as const] : []),
  );
}
