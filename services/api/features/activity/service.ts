import type { ActivityEventType } from "#contract/activity.ts";
import type { Actor } from "#contract/actor.ts";
import type { Activity } from "#contract/catalogue/activity.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import type { EntityClass, EntityType } from "#contract/entities.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { requireFound } from "#kit/errors.ts";
import type { ActivityState } from "#metadata/catalogue/activity.ts";
import { type JsonRow, plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { classDictionary } from "#services/api/features/dataentities/service.ts";
import {
  countOfViews,
  entitiesOfView,
  type OwnerView,
  type Sides,
} from "#services/api/features/owned/service.ts";
import { entityFacets } from "#services/api/features/search/service.ts";
import { itemsJson, listOfFound } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

/** A filter of events as requested; an absent member does not restrict. Times are RFC 3339. */
interface ActivityQuery {
  /** Inclusive. */
  begin_date: string;
  /** Exclusive. */
  end_date: string;
  event_type?: ActivityEventType;
  datasource_id?: number;
  namespace_id?: number;
  /** Events of entities with any of these tags. */
  tag_ids?: number[];
  owner_ids?: number[];
  /** Events of users who are linked to one of these owners, or have one of these names. */
  user_ids: number[];
  usernames: string[];
  username: string[];
}

/** A page: how many events, after the last event of the previous page. */
export interface PortionQuery {
  size: number;
  last_event_id?: number;
  last_event_date_time?: string;
}

/** Entities of the events; null means any entity, or none. */
type Entities = number[] | null;

/** The newest events of a view after the cursor (Activity[]). */
export async function listActivity(
  context: Context,
  actor: Actor,
  view: OwnerView,
  query: ActivityQuery & PortionQuery,
) {
  const entities = await entitiesOfView(context, actor, view);
  return entities?.length === 0 ? [] : await portion(context, entities, query);
}

const anyEntity = statement("activity-entity")`SELECT FROM data_entity WHERE id = $1`;

/** The newest events of one entity, even a deleted or hollow one, after the cursor (Activity[]). Throws 404. */
export async function listEntityActivity(
  context: Context,
  id: number,
  query: ActivityQuery & PortionQuery,
) {
  const [found, events] = await Promise.all([
    context.db.query(anyEntity, [id]),
    portion(context, [id], query),
  ]);
  requireFound(found, "Data entity", id);
  return events;
}

async function portion(context: Context, entities: Entities, query: ActivityQuery & PortionQuery) {
  const values = pageValues(entities, query, staleDays(context));
  const rows = await context.db.reads.query(pageStatement, values);
  return rows.map(({ event }) => answered(event));
}

/** How many events each view shows (ActivityCountInfo). */
export function countViews(context: Context, actor: Actor, query: ActivityQuery) {
  const count = async (within: Sides) =>
    (await context.db.reads.query(eventCounts, [...filterValues(null, query), ...within]))[0]!;
  return countOfViews(context, actor, count);
}

/** An event as stored: classes and types in its states are names. All else is as answered. */
interface StoredActivity {
  event_type: ActivityEventType;
  old_state: Partial<ActivityState>;
  new_state: Partial<ActivityState>;
}

// These statements are planned for their values each time, so that partitions outside the period are
// never read, and absent conditions cost nothing.
const matches = `
  a.created_at >= $1::timestamptz AND a.created_at < $2::timestamptz
  AND ($3::bigint[] IS NULL OR a.entity_id = ANY ($3::bigint[]))
  AND ($4::text IS NULL OR a.event_type = $4)
  AND ($5::bigint[] IS NULL OR (${entityFacets.datasources.holds("$5")}))
  AND ($6::bigint[] IS NULL OR (${entityFacets.namespaces.holds("$6")}))
  AND ($7::bigint[] IS NULL OR (${entityFacets.tags.holds("$7")}))
  AND ($8::bigint[] IS NULL OR (${entityFacets.owners.holds("$8")}))
  AND ($9::bigint[] IS NULL AND $10::text[] IS NULL OR a.created_by = ANY ($10::text[])
       OR (a.created_by, a.created_by_provider) IN (
         SELECT u.username, u.provider FROM user_owner u WHERE u.owner_id = ANY ($9::bigint[])))`;
const events = "activity a LEFT JOIN data_entity e ON e.id = a.entity_id";

function filterValues(entities: Entities, query: ActivityQuery): unknown[] {
  const one = (id: number | undefined) => (id === undefined ? null : [id]);
  const some = <T>(list: T[] | undefined) => (list?.length ? list : null);
  return [
    query.begin_date,
    query.end_date,
    entities,
    query.event_type ?? null,
    one(query.datasource_id),
    one(query.namespace_id),
    some(query.tag_ids),
    some(query.owner_ids),
    some(query.user_ids),
    some([...query.usernames, ...query.username]),
  ];
}

/** The events of one page, newest first. */
export const pageStatement = plannedEachTime<{ event: StoredActivity }>("activity-page")`
  SELECT json_activity(a.event, $14::int) AS event
    FROM (SELECT a AS event, a.created_at, a.id FROM ${events}
           WHERE ${matches}
             AND ($11::timestamptz IS NULL
                  OR a.created_at <= $11 AND (a.created_at, a.id) < ($11, $12::bigint))
           ORDER BY a.created_at DESC, a.id DESC LIMIT $13) a
   ORDER BY a.created_at DESC, a.id DESC`;

/** What `pageStatement` binds. */
export function pageValues(
  entities: Entities,
  query: ActivityQuery & PortionQuery,
  staleDays: number,
): unknown[] {
  const { last_event_date_time: at = null, last_event_id: id = null, size } = query;
  return [...filterValues(entities, query), at, id, size, staleDays];
}

/** Counts all events, and those about the entities of each of three sets. */
const eventCounts = plannedEachTime<{ total: number; within: number[] }>("activity-counts")`
  SELECT count(*) AS total,
         ARRAY[count(*) FILTER (WHERE a.entity_id = ANY ($11::bigint[])),
               count(*) FILTER (WHERE a.entity_id = ANY ($12::bigint[])),
               count(*) FILTER (WHERE a.entity_id = ANY ($13::bigint[]))]::bigint[] AS within
    FROM ${events} WHERE ${matches}`;

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

/** Groups of events that are read at once. */
export const maxGroups = 50;

/** How many of the newest events are looked at, and how many entities of a group are named. */
const [maxEvents, maxExamples] = [2_000, 3];

/** Between two events of a group there is less. */
const groupGap = "interval '5 minutes'";

/** What the events of a group have in common. */
const groupKey = "event_type, created_by, created_by_provider, system_event, source_id";

// $1 number of groups, $2 days after which an entity is stale. Groups are islands of events: a new one begins after a gap.
const groups = statement<JsonRow>("activity-groups")`
  WITH newest AS MATERIALIZED (
    SELECT a.id, a.event_type, a.created_at, a.created_by, a.created_by_provider, a.system_event, a.entity_id,
           CASE WHEN a.system_event THEN e.data_source_id END AS source_id
      FROM (SELECT * FROM activity ORDER BY created_at DESC, id DESC LIMIT ${maxEvents}) a
      LEFT JOIN data_entity e ON e.id = a.entity_id),
  begun AS (
    SELECT *, created_at - lag(created_at) OVER (PARTITION BY ${groupKey} ORDER BY created_at, id) < ${groupGap} AS goes_on
      FROM newest),
  numbered AS (
    SELECT *, count(*) FILTER (WHERE goes_on IS NOT TRUE) OVER (PARTITION BY ${groupKey} ORDER BY created_at, id) AS island
      FROM begun),
  grouped AS (
    SELECT ${groupKey}, min(created_at) AS first_at, max(created_at) AS last_at, max(id) AS last_id,
           count(*) AS events, count(DISTINCT entity_id) AS entities,
           (array_agg(entity_id ORDER BY created_at DESC, id DESC) FILTER (WHERE entity_id IS NOT NULL)) AS ids
      FROM numbered GROUP BY ${groupKey}, island
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
      'complete', seen.events < ${maxEvents} OR g.first_at - ${groupGap} > seen.oldest)`,
    by: "g.last_at DESC, g.last_id DESC",
    from: "grouped g, seen",
  })
})::text AS json`;

/** The newest groups of events; ActivityGroupList as JSON text. */
export async function listGroups(context: Context, size: number): Promise<string> {
  return (await context.db.reads.query(groups, [size, staleDays(context)]))[0]!.json;
}

// Each name appears once; if several providers know it, the first one is shown.
const userJson = `json_associated_owner(name, coalesce((
  SELECT min(u.provider) FROM user_owner u WHERE u.username = name), ''))`;
const users = statement<JsonRow>("activity-users")`
  WITH RECURSIVE actor (name) AS (
    (SELECT created_by FROM activity WHERE created_by IS NOT NULL ORDER BY created_by LIMIT 1)
    UNION ALL
    SELECT (SELECT a.created_by FROM activity a WHERE a.created_by > actor.name
             ORDER BY a.created_by LIMIT 1)
      FROM actor WHERE actor.name IS NOT NULL
  ), found AS MATERIALIZED (
    SELECT name FROM actor
     WHERE name IS NOT NULL AND ($1::text IS NULL OR name ILIKE $1 OR EXISTS (
       SELECT FROM user_owner u JOIN owner o ON o.id = u.owner_id
        WHERE u.username = actor.name AND o.name ILIKE $1)))
  ${listOfFound({ each: userJson, by: "name", window: ["$2", "$3"] })}`;

/**
 * One page of the users who changed something, by name; `query` is part of a name. ActivityUserList
 * as JSON text.
 */
export async function listUsers({ db }: Context, query: ListQuery): Promise<string> {
  const pattern = query.query === undefined ? null : containsPattern(query.query);
  const { limit, offset } = pageWindow(query);
  return (await db.query(users, [pattern, limit, offset]))[0]!.json;
}
