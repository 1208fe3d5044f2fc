import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { itemsJson } from "#services/api/list-json.ts";

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
export async function activityGroups(
  db: Queryable,
  size: number,
  staleDays: number,
): Promise<string> {
  return (await db.query(groups, [size, staleDays]))[0]!.json;
}
