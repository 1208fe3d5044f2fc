import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Actor } from "#contract/actor.ts";
import { activityGroups } from "#services/api/features/activity/groups.queries.ts";
import * as queries from "#services/api/features/activity/queries.ts";
import { answered } from "#services/api/features/activity/states.ts";
import {
  countOfViews,
  entitiesOfView,
  type OwnerView,
  type Sides,
} from "#services/api/features/owned/service.ts";
import { staleDays } from "#services/api/stale.ts";

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
