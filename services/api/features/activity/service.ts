import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Actor } from "#contract/actor.ts";
import type { Activity } from "#contract/catalogue/activity.ts";
import type { EntityClass, EntityType } from "#contract/entities.ts";
import type { ActivityState } from "#metadata/catalogue/activity.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import * as queries from "#services/api/features/activity/queries.ts";
import {
  countOfViews,
  entitiesOfView,
  type OwnerView,
  type Sides,
} from "#services/api/features/owned/service.ts";
import { staleDays } from "#services/api/stale.ts";
import type { StoredActivity } from "#services/api/features/activity/queries.ts";
import { classDictionary } from "#services/api/features/dataentities/service.ts";
import { itemsJson } from "#services/api/list-json.ts";

/** A filter as requested, before the view adds its entities. */
export type RequestedFilter = Omit<queries.ActivityFilter, "entities">;

/** The page: how many events, after which one. */
export interface Portion {
  size: number;
  after?: queries.Cursor;
}

/** The newest events of a view after the cursor (Activity[]). */
export async function listActivity(
  context: Context,
  actor: Actor,
  view: OwnerView,
  filter: RequestedFilter & Portion,
) {
  const entities = await entitiesOfView(context, actor, view);
  return entities?.length === 0 ? [] : await portion(context, { ...filter, entities });
}

/** The newest events of one entity after the cursor (Activity[]). Throws 404. */
export async function listEntityActivity(
  context: Context,
  id: number,
  filter: RequestedFilter & Portion,
) {
  const [exists, events] = await Promise.all([
    queries.entityExists(context.db, id),
    portion(context, { ...filter, entities: [id] }),
  ]);
  if (!exists) throw notFound("Data entity", id);
  return events;
}

async function portion({ db, config }: Context, filter: queries.ActivityFilter & Portion) {
  const stale = staleDays({ config });
  const values = queries.pageValues(filter, filter.after, filter.size, stale);
  return (await queries.activityPage(db.reads, values)).map(answered);
}

/** Groups of events that are read at once. */
export const maxGroups = 50;

/** The newest groups of events; ActivityGroupList as JSON text. */
export function listGroups(context: Context, size: number): Promise<string> {
  return activityGroups(context.db.reads, size, staleDays(context));
}

/** How many events each view shows (ActivityCountInfo). */
export function countViews(context: Context, actor: Actor, requested: RequestedFilter) {
  const filter = { ...requested, entities: null };
  const count = (within: Sides) => queries.countActivity(context.db.reads, filter, within);
  return countOfViews(context, actor, count);
}

/**
 * One page of the users who changed something, by name; `query` is part of a name. ActivityUserList
 * as JSON text.
 */
export function listUsers(context: Context, query: ListQuery): Promise<string> {
  const pattern = query.query === undefined ? null : containsPattern(query.query);
  return queries.actors(context.db, pattern, pageWindow(query));
}

const classes = new Map(classDictionary.entity_classes.map((entry) => [entry.name, entry]));
const types = new Map(classDictionary.types.map((entry) => [entry.name, entry]));

/** The event as answered: adds ids to the class and type names in its states. */
function answered(event: StoredActivity): Activity {
  const { old_state: before, new_state: after } = event;
  return { ...event, old_state: expanded(before), new_state: expanded(after) } as Activity;
}

function expanded(state: Partial<ActivityState>): unknown {
  const { data_entity: entity, custom_group: group } = state;
  return {
    ...state,
    ...(entity ? { data_entity: withIds(entity) } : {}),
    ...(group
      ? {
        custom_group: {
          ...withIds(group),
          entities: group.entities.map(withClasses),
          entities_total: group.entities_total ?? null,
        },
      }
      : {}),
  };
}

/** Leaves out names that this release does not know. */
function withClasses<T extends { entity_classes: EntityClass[] }>(named: T) {
  return {
    ...named,
    entity_classes: named.entity_classes.flatMap((name) => classes.get(name) ?? []),
  };
}

function withIds<T extends { entity_classes: EntityClass[]; type: EntityType | null }>(named: T) {
  return { ...withClasses(named), type: named.type ? types.get(named.type) ?? null : null };
}

/** How many of the newest events are looked at, and how many entities of a group are named. */
const [maxEvents, maxExamples] = [2_000, 3];

/** Between two events of a group there is less. */
const gap = "interval '5 minutes'";

/** What the events of a group have in common. */
const key = "event_type, created_by, created_by_provider, system_event, source_id";

// $1 number of groups, $2 days after which an entity is stale. Groups are islands of events: a new one begins after a gap.
const groups = statement<JsonRow>("activity-groups")`
  WITH newest AS MATERIALIZED (
    SELECT a.id, a.event_type, a.created_at, a.created_by, a.created_by_provider, a.system_event, a.entity_id,
           CASE WHEN a.system_event THEN e.data_source_id END AS source_id
      FROM (SELECT * FROM activity ORDER BY created_at DESC, id DESC LIMIT ${maxEvents}) a
      LEFT JOIN data_entity e ON e.id = a.entity_id),
  begun AS (
    SELECT *, created_at - lag(created_at) OVER (PARTITION BY ${key} ORDER BY created_at, id) < ${gap} AS goes_on
      FROM newest),
  numbered AS (
    SELECT *, count(*) FILTER (WHERE goes_on IS NOT TRUE) OVER (PARTITION BY ${key} ORDER BY created_at, id) AS island
      FROM begun),
  grouped AS (
    SELECT ${key}, min(created_at) AS first_at, max(created_at) AS last_at, max(id) AS last_id,
           count(*) AS events, count(DISTINCT entity_id) AS entities,
           (array_agg(entity_id ORDER BY created_at DESC, id DESC) FILTER (WHERE entity_id IS NOT NULL)) AS ids
      FROM numbered GROUP BY ${key}, island
     ORDER BY max(created_at) DESC, max(id) DESC LIMIT $1),
  seen AS (SELECT count(*) AS events, min(created_at) AS oldest FROM newest)
  SELECT json_build_object('items', ${
  itemsJson({
    each:
      `json_build_object('event_type', g.event_type, 'first_at', iso(g.first_at), 'last_at', iso(g.last_at),
      'created_by', json_associated_owner(g.created_by, g.created_by_provider), 'system_event', g.system_event,
      'data_source', (SELECT json_build_object('id', s.id, 'name', s.name) FROM data_source s WHERE s.id = g.source_id),
      'events', g.events, 'entities', g.entities,
      'examples', ${
        itemsJson({
          each: "json_activity_entity(x.id, $2)",
          by: "x.place",
          from:
            `(SELECT id, min(place) AS place FROM unnest(g.ids) WITH ORDINALITY AS each (id, place)
                  GROUP BY id ORDER BY 2 LIMIT ${maxExamples}) x`,
        })
      },
      'complete', seen.events < ${maxEvents} OR g.first_at - ${gap} > seen.oldest)`,
    by: "g.last_at DESC, g.last_id DESC",
    from: "grouped g, seen",
  })
})::text AS json`;

/** The newest groups of events; ActivityGroupList as JSON text. */
async function activityGroups(
  db: Queryable,
  size: number,
  staleDays: number,
): Promise<string> {
  return (await db.query(groups, [size, staleDays]))[0]!.json;
}
