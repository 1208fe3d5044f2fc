import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/groups/read.queries.ts";
import { staleDays } from "#services/api/stale.ts";

type Deps = Pick<Context, "db" | "config">;

/** Every listed domain with the number of its live members: `DataEntityDomainList`, JSON text. */
export function domains(context: Deps): Promise<string> {
  return queries.domainList(context.db.reads, staleDays(context));
}

/**
 * A page of the groups directly inside a group: `DataEntityList`, JSON text. 404 if it is not a
 * group.
 */
export async function children(context: Deps, id: number, query: PageQuery): Promise<string> {
  const list = await queries.childList(context.db.reads, id, pageWindow(query), staleDays(context));
  if (list === undefined) throw notFound("Data entity group", id);
  return list;
}

/**
 * A page of the groups directly above a group and of its members, filtered by name if `query` is
 * given: `DataEntityGroupItemList`, JSON text. Counts include only matches. 404 if it is not a
 * group.
 */
export async function items(
  context: Deps,
  id: number,
  query: PageQuery & { query?: string },
): Promise<string> {
  const { db } = context;
  const page = pageWindow(query);
  const list = await queries.itemList(db.reads, id, query.query ?? "", page, staleDays(context));
  if (list === undefined) throw notFound("Data entity group", id);
  return list;
}
