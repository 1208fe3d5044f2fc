import type { ActivityEventType } from "#contract/activity.ts";
import type { PageWindow } from "#contract/http.ts";
import type { ActivityState } from "#metadata/catalogue/activity.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import { listOfFound } from "#services/api/list-json.ts";
import { facets } from "#services/api/features/search/service.ts";

/** A filter of events; an absent member does not restrict. Times are RFC 3339. */
export interface ActivityFilter {
  /** Entities of the events; null means any entity, or none. */
  entities: number[] | null;
  /** Inclusive. */
  begin: string;
  /** Exclusive. */
  end: string;
  eventType?: ActivityEventType;
  dataSource?: number;
  namespace?: number;
  /** Events of entities with any of these tags. */
  tags?: number[];
  owners?: number[];
  /** Events of users who are linked to one of these owners, or have one of these names. */
  users: { owners: number[]; names: string[] };
}

/** Position of the last event of the previous page. */
export interface Cursor {
  at: string;
  id: number;
}

/** An event as stored: classes and types in its states are names. All else is as answered. */
export interface StoredActivity {
  event_type: ActivityEventType;
  old_state: Partial<ActivityState>;
  new_state: Partial<ActivityState>;
}

// These statements are planned for their values each time, so that partitions outside the period are
// never read, and absent conditions cost nothing.
const filter = `
  a.created_at >= $1::timestamptz AND a.created_at < $2::timestamptz
  AND ($3::bigint[] IS NULL OR a.entity_id = ANY ($3::bigint[]))
  AND ($4::text IS NULL OR a.event_type = $4)
  AND ($5::bigint[] IS NULL OR (${facets.datasources.holds("$5")}))
  AND ($6::bigint[] IS NULL OR (${facets.namespaces.holds("$6")}))
  AND ($7::bigint[] IS NULL OR (${facets.tags.holds("$7")}))
  AND ($8::bigint[] IS NULL OR (${facets.owners.holds("$8")}))
  AND ($9::bigint[] IS NULL AND $10::text[] IS NULL OR a.created_by = ANY ($10::text[])
       OR (a.created_by, a.created_by_provider) IN (
         SELECT u.username, u.provider FROM user_owner u WHERE u.owner_id = ANY ($9::bigint[])))`;
const from = "activity a LEFT JOIN data_entity e ON e.id = a.entity_id";

function filterValues(values: ActivityFilter): unknown[] {
  const one = (id: number | undefined) => (id === undefined ? null : [id]);
  const some = <T>(list: T[] | undefined) => (list?.length ? list : null);
  return [
    values.begin,
    values.end,
    values.entities,
    values.eventType ?? null,
    one(values.dataSource),
    one(values.namespace),
    some(values.tags),
    some(values.owners),
    some(values.users.owners),
    some(values.users.names),
  ];
}

/** The events of one page, newest first. */
export const pageStatement = plannedEachTime<{ event: StoredActivity }>("activity-page")`
  SELECT json_activity(a.event, $14::int) AS event
    FROM (SELECT a AS event, a.created_at, a.id FROM ${from}
           WHERE ${filter}
             AND ($11::timestamptz IS NULL
                  OR a.created_at <= $11 AND (a.created_at, a.id) < ($11, $12::bigint))
           ORDER BY a.created_at DESC, a.id DESC LIMIT $13) a
   ORDER BY a.created_at DESC, a.id DESC`;

/** What `pageStatement` binds. */
export function pageValues(
  values: ActivityFilter,
  after: Cursor | undefined,
  size: number,
  staleDays: number,
): unknown[] {
  return [...filterValues(values), after?.at ?? null, after?.id ?? null, size, staleDays];
}

/** One page of events after the cursor, newest first. */
export async function activityPage(db: Queryable, values: unknown[]): Promise<StoredActivity[]> {
  const rows = await db.query(pageStatement, values);
  return rows.map((row) => row.event);
}

const counts = plannedEachTime<{ total: number; within: number[] }>("activity-counts")`
  SELECT count(*) AS total,
         ARRAY[count(*) FILTER (WHERE a.entity_id = ANY ($11::bigint[])),
               count(*) FILTER (WHERE a.entity_id = ANY ($12::bigint[])),
               count(*) FILTER (WHERE a.entity_id = ANY ($13::bigint[]))]::bigint[] AS within
    FROM ${from} WHERE ${filter}`;

/** Counts all events, and those about the entities of each of three sets. */
export async function countActivity(
  db: Queryable,
  query: ActivityFilter,
  sets: [number[], number[], number[]],
): Promise<{ total: number; within: number[] }> {
  const values = [...filterValues(query), ...sets];
  return (await db.query(counts, values))[0]!;
}

const anyEntity = statement("activity-entity")`SELECT FROM data_entity WHERE id = $1`;

/** Whether the entity exists; deleted and hollow ones count. */
export async function entityExists(db: Queryable, id: number): Promise<boolean> {
  const rows = await db.query(anyEntity, [id]);
  return rows.length > 0;
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

/** ActivityUserList of one page, by name, as JSON text; `pattern` is for ILIKE. */
export async function actors(
  db: Queryable,
  pattern: string | null,
  page: PageWindow,
): Promise<string> {
  const values = [pattern, page.limit, page.offset];
  return (await db.query(users, values))[0]!.json;
}
