import { type AlertStatus } from "#contract/alerts.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Actor } from "#contract/actor.ts";
import * as queries from "#services/api/features/alerts/queries.ts";
import {
  countOfViews,
  entitiesOfView,
  ownedAncestors,
  ownedEntities,
  type OwnerView,
  type Sides,
} from "#services/api/features/owned/service.ts";
import { staleDays } from "#services/api/stale.ts";

/** A filter as requested, before the view adds its entities. */
export type RequestedFilter = Omit<queries.AlertFilter, "entities">;

/** One page of a view, newest first; Alert[] as JSON text. */
export async function listAlerts(
  context: Context,
  actor: Actor,
  query: RequestedFilter & PageQuery & { view: OwnerView },
): Promise<string> {
  const entities = await entitiesOfView(context, actor, query.view);
  if (entities?.length === 0) return "[]";
  const filter = { ...query, entities };
  return await queries.alertPage(context.db.reads, filter, pageWindow(query), staleDays(context));
}

/** How many alerts each view shows (AlertCountInfo). */
export function countViews(context: Context, actor: Actor, query: RequestedFilter) {
  const filter = { ...query, entities: null };
  const count = (within: Sides) => queries.countAlerts(context.db.reads, filter, within);
  return countOfViews(context, actor, count);
}

/** The chunks of an alert; AlertChunkPage, newest first, as JSON text. Throws 404. */
export async function listChunks(
  { db }: Context,
  alert: number,
  paging: PageQuery,
): Promise<string> {
  const json = await queries.chunkPage(db, alert, pageWindow(paging));
  if (json === undefined) throw notFound("Alert", alert);
  return json;
}

/** A tab of open alerts: all, on what the caller owns, or on everything upstream of that. */
export type OpenTab = "all" | "my" | "dependents";

/** An answer, and the budget (if any) that cut short the lineage walk behind it. */
export interface Tab<T> {
  answer: T;
  truncated?: "nodes" | "time";
}

/** One page of a tab, newest first; AlertList as JSON text. */
export async function openAlerts(
  context: Context,
  actor: Actor,
  tab: OpenTab,
  paging: PageQuery,
): Promise<Tab<string>> {
  const { ids, truncated } = await idsOfTab(context, actor, tab);
  const filter = { entities: ids, status: "OPEN" as const };
  const answer = await queries.alertList(
    context.db,
    filter,
    pageWindow(paging),
    staleDays(context),
  );
  return { answer, truncated };
}

async function idsOfTab(context: Context, actor: Actor, tab: OpenTab) {
  if (tab === "dependents") return await ownedAncestors(context, actor);
  return { ids: tab === "my" ? await ownedEntities(context, actor) : null, truncated: undefined };
}

/** How many open alerts each tab shows (AlertTotals). */
export async function countTabs(context: Context, actor: Actor) {
  const { own, ids, truncated } = await ownedAncestors(context, actor);
  const open = { entities: null, status: "OPEN" as const };
  const { total, within } = await queries.countAlerts(context.db.reads, open, [own, ids]);
  const answer = { total, my_total: within[0], dependent_total: within[1] };
  return { answer, truncated };
}

/** One page of an entity's alerts, newest first; Alert[] as JSON text. Throws 404. */
export async function listEntityAlerts(
  context: Context,
  id: number,
  filter: Pick<RequestedFilter, "status" | "begin" | "end"> & PageQuery,
): Promise<string> {
  const json = await queries.entityAlertPage(context.db.reads, questionOf(context, id, filter));
  return json ?? unknown(id);
}

/** One page of all alerts of an entity, newest first; AlertList as JSON text. Throws 404. */
export async function pageEntityAlerts(context: Context, id: number, paging: PageQuery) {
  const json = await queries.entityAlertList(context.db.reads, questionOf(context, id, paging));
  return json ?? unknown(id);
}

function questionOf(
  context: Context,
  id: number,
  filter: Pick<RequestedFilter, "status" | "begin" | "end"> & PageQuery,
): queries.EntityQuestion {
  return { id, filter: filter, page: pageWindow(filter), staleDays: staleDays(context) };
}

/** How many alerts of a status an entity has. Throws 404. */
export async function countEntityAlerts(context: Context, id: number, status: AlertStatus) {
  return await queries.countEntityAlerts(context.db, id, status) ?? unknown(id);
}

function unknown(id: number): never {
  throw notFound("Data entity", id);
}
