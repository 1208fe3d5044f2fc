import type { Actor } from "#contract/actor.ts";
import {
  type AlertStatus,
  alertStatusCode,
  type AlertType,
  alertTypeCode,
} from "#contract/alerts.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { requireFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import {
  countOfViews,
  entitiesOfView,
  ownedAncestors,
  ownedEntities,
  type OwnerView,
  type Sides,
} from "#services/api/features/owned/service.ts";
import { entityFacets } from "#services/api/features/search/service.ts";
import { foundJson, itemsJson, listJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

/** A filter of alerts as requested; an absent member does not restrict. Times are RFC 3339. */
interface AlertQuery {
  status?: AlertStatus;
  /** Last raised at this time or later. */
  begin_date?: string;
  /** Last raised before this time. */
  end_date?: string;
  datasource_id?: number;
  namespace_id?: number;
  /** Alerts on entities with any of these tags. */
  tag_ids?: number[];
  owner_ids?: number[];
  alert_type?: AlertType;
  /** Words, or beginnings of words, of what was said or of the names of entity or source; or the entity's CATRN. */
  query?: string;
  /** The one alert of this id. */
  alert_id?: number;
}

/** Entities of the alerts; null means any entity, or none. */
type Entities = number[] | null;

/** One page of a view, newest first; Alert[] as JSON text. */
export async function listAlerts(
  context: Context,
  actor: Actor,
  view: OwnerView,
  query: AlertQuery & PageQuery,
): Promise<string> {
  const entities = await entitiesOfView(context, actor, view);
  if (entities?.length === 0) return "[]";
  const { limit, offset } = pageWindow(query);
  const values = [...filterValues(entities, query), limit, offset, staleDays(context)];
  return (await context.db.reads.query(alertPage, values))[0]!.json;
}

/** How many alerts each view shows (AlertCountInfo). */
export function countViews(context: Context, actor: Actor, query: AlertQuery) {
  const count = (within: Sides) => countAlerts(context.db.reads, query, within);
  return countOfViews(context, actor, count);
}

/** A tab of open alerts: all, on what the caller owns, or on everything upstream of that. */
export type OpenTab = "all" | "my" | "dependents";

/**
 * One page of a tab, newest first; AlertList as JSON text. `truncated`: the budget (if any) that cut short the lineage walk
 * behind it.
 */
export async function openAlerts(context: Context, actor: Actor, tab: OpenTab, paging: PageQuery) {
  const { ids, truncated } = await idsOfTab(context, actor, tab);
  const { limit, offset } = pageWindow(paging);
  const values = [...filterValues(ids, { status: "OPEN" }), limit, offset, staleDays(context)];
  const answer = (await context.db.query(alertPageWithTotal, values))[0]!.json;
  return { answer, truncated };
}

async function idsOfTab(context: Context, actor: Actor, tab: OpenTab) {
  if (tab === "dependents") return await ownedAncestors(context, actor);
  return { ids: tab === "my" ? await ownedEntities(context, actor) : null, truncated: undefined };
}

/** How many open alerts each tab shows (AlertTotals); `truncated` as for a tab. */
export async function countTabs(context: Context, actor: Actor) {
  const { own, ids, truncated } = await ownedAncestors(context, actor);
  const { total, within } = await countAlerts(context.db.reads, { status: "OPEN" }, [own, ids]);
  const answer = { total, my_total: within[0], dependent_total: within[1] };
  return { answer, truncated };
}

const alerts = "alert a LEFT JOIN data_entity e ON e.id = a.entity_id";
const newestFirst = "a.last_created_at DESC, a.id DESC";

// Lists are planned for their values each time, so that absent conditions cost nothing.
const period = `
  ($2::smallint IS NULL OR a.status = $2)
  AND ($3::timestamptz IS NULL OR a.last_created_at >= $3)
  AND ($4::timestamptz IS NULL OR a.last_created_at < $4)`;

// Each of them goes from the words to the alerts by an index: that of messages is the expression `alert_chunk_words`, in
// which letters beyond ASCII are as they were written.
const foundByText = `
  SELECT c.alert_id FROM alert_chunk c
   WHERE to_tsvector('simple', translate(left(c.description, 2000), '_./-@+&<', '        '))
         @@ search_query($10)
  UNION ALL
  SELECT n.id FROM alert n JOIN search_document d ON d.entity_id = n.entity_id
   WHERE d.vector @@ (SELECT search_query_inside($10)) AND d.names @@ (SELECT search_query_inside($10))
  UNION ALL
  SELECT n.id FROM alert n JOIN data_entity i ON i.id = n.entity_id WHERE i.catrn = $10
  UNION ALL
  SELECT n.id FROM alert n JOIN data_source s ON s.id = n.data_source_id
   WHERE to_tsvector('simple', search_words(s.name)) @@ search_query($10)`;
const matches = `
  (a.entity_id IS NULL OR is_live(e.status))
  AND ($1::bigint[] IS NULL OR a.entity_id = ANY ($1::bigint[]))
  AND ${period}
  AND ($5::bigint[] IS NULL OR (${entityFacets.datasources.holds("$5")})
    OR a.data_source_id = ANY ($5::bigint[]))
  AND ($6::bigint[] IS NULL OR (${entityFacets.namespaces.holds("$6")})
    OR a.data_source_id IN (
      SELECT s.id FROM data_source s WHERE s.namespace_id = ANY ($6::bigint[])))
  AND ($7::bigint[] IS NULL OR (${entityFacets.tags.holds("$7")}))
  AND ($8::bigint[] IS NULL OR (${entityFacets.owners.holds("$8")}))
  AND ($9::smallint IS NULL OR a.type = $9)
  AND ($10::text IS NULL OR a.id IN (${foundByText}))
  AND ($11::bigint IS NULL OR a.id = $11)`;

function filterValues(entities: Entities, query: AlertQuery): unknown[] {
  const one = (id: number | undefined) => (id === undefined ? null : [id]);
  const some = (ids: number[] | undefined) => (ids?.length ? ids : null);
  return [
    entities,
    ...periodValues(query),
    one(query.datasource_id),
    one(query.namespace_id),
    some(query.tag_ids),
    some(query.owner_ids),
    query.alert_type ? alertTypeCode(query.alert_type) : null,
    query.query ?? null,
    query.alert_id ?? null,
  ];
}

type PeriodQuery = Pick<AlertQuery, "status" | "begin_date" | "end_date">;

function periodValues({ status, begin_date, end_date }: PeriodQuery): unknown[] {
  return [status ? alertStatusCode(status) : null, begin_date ?? null, end_date ?? null];
}

const pageOfAlerts = `
  SELECT a AS alert, a.id, a.last_created_at FROM ${alerts} WHERE ${matches}
   ORDER BY ${newestFirst} LIMIT $12 OFFSET $13`;
const alertItems = {
  each: "json_alert(a.alert, $14::int)",
  by: newestFirst,
  from: `(${pageOfAlerts}) a`,
};

const alertPage = plannedEachTime<JsonRow>("alert-page")`SELECT ${
  itemsJson(alertItems)
}::text AS json`;

const alertPageWithTotal = plannedEachTime<JsonRow>("alert-list")`
  SELECT ${listJson({ ...alertItems, total: "t.total", window: ["$12", "$13"] })}::text AS json
    FROM (SELECT count(*) AS total FROM ${alerts} WHERE ${matches}) t`;

const alertCounts = (sets: number) => `
  SELECT count(*) AS total, ARRAY[${
  Array.from({ length: sets }, (_, at) =>
    `count(*) FILTER (WHERE a.entity_id = ANY ($${12 + at}::bigint[]))`)
}]::bigint[] AS within
    FROM ${alerts} WHERE ${matches}`;

/** Counts alerts, in all and on the entities of each set, in the order of the sets. */
async function countAlerts(db: Queryable, query: AlertQuery, sets: number[][]) {
  const values = [...filterValues(null, query), ...sets];
  const [counts] = await db.query<{ total: number; within: number[] }>(
    alertCounts(sets.length),
    values,
  );
  return counts!;
}

const chunks = statement<JsonRow>("alert-chunks")`
  SELECT ${
  listJson({
    each: "json_build_object('created_at', iso(c.created_at), 'description', c.description)",
    by: "c.created_at DESC, c.id DESC",
    from: `(SELECT * FROM alert_chunk WHERE alert_id = a.id
             ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3) c`,
    total: "counted.total",
    window: ["$2", "$3"],
  })
}::text AS json
    FROM ${alerts}, LATERAL (
      SELECT count(*) AS total FROM alert_chunk WHERE alert_id = a.id) counted
   WHERE a.id = $1 AND (a.entity_id IS NULL OR is_live(e.status))`;

/** The chunks of an alert; AlertChunkPage, newest first, as JSON text. Throws 404 for one that appears in no list. */
export async function listChunks(
  { db }: Context,
  alert: number,
  paging: PageQuery,
): Promise<string> {
  const { limit, offset } = pageWindow(paging);
  return foundJson(await db.query(chunks, [alert, limit, offset]), "Alert", alert);
}

// Alerts of one entity are shown even if it is deleted, since it can still be read by its id.
const ofEntity = `a.entity_id = $1 AND ${period}`;
const entityItems = {
  each: "json_alert(a.alert, $7::int)",
  by: newestFirst,
  from: `(SELECT a AS alert, a.id, a.last_created_at FROM alert a WHERE ${ofEntity}
           ORDER BY ${newestFirst} LIMIT $5 OFFSET $6) a`,
};

const entityPage = plannedEachTime<JsonRow>("alert-page-of-entity")`
  SELECT ${itemsJson(entityItems)}::text AS json FROM data_entity e WHERE e.id = $1`;

/** One page of an entity's alerts, newest first; Alert[] as JSON text. Throws 404. */
export async function listEntityAlerts(
  context: Context,
  id: number,
  query: PeriodQuery & PageQuery,
): Promise<string> {
  const rows = await context.db.reads.query(entityPage, entityValues(context, id, query));
  return foundJson(rows, "Data entity", id);
}

const entityPageWithTotal = plannedEachTime<JsonRow>("alert-list-of-entity")`
  SELECT ${listJson({ ...entityItems, total: "t.total", window: ["$5", "$6"] })}::text AS json
    FROM data_entity e
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM alert a WHERE ${ofEntity}) t
   WHERE e.id = $1`;

/** One page of all alerts of an entity, newest first; AlertList as JSON text. Throws 404. */
export async function pageEntityAlerts(
  context: Context,
  id: number,
  paging: PageQuery,
): Promise<string> {
  const values = entityValues(context, id, paging);
  const rows = await context.db.reads.query(entityPageWithTotal, values);
  return foundJson(rows, "Data entity", id);
}

function entityValues(context: Context, id: number, query: PeriodQuery & PageQuery): unknown[] {
  const { limit, offset } = pageWindow(query);
  return [id, ...periodValues(query), limit, offset, staleDays(context)];
}

const entityCount = statement<{ count: number }>("alerts-of-entity")`
  SELECT (SELECT count(*) FROM alert a WHERE a.entity_id = e.id AND a.status = $2) AS count
    FROM data_entity e WHERE e.id = $1`;

/** How many alerts of a status an entity has. Throws 404. */
export async function countEntityAlerts(
  { db }: Context,
  id: number,
  status: AlertStatus,
): Promise<number> {
  const rows = await db.query(entityCount, [id, alertStatusCode(status)]);
  return requireFound(rows, "Data entity", id).count;
}
