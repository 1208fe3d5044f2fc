import type { ReferenceList } from "#contract/catalogue/entity.ts";
import {
  type EntityClass,
  entityClasses,
  entityClassNames,
  entityTypeNames,
  entityTypes,
} from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { readCoverage } from "#services/api/features/dataentities/coverage.queries.ts";
import * as queries from "#services/api/features/dataentities/queries.ts";
import { referencePage } from "#services/api/features/dataentities/references.queries.ts";
import { entityUsage } from "#services/api/features/dataentities/usage.queries.ts";
import type { ViewCounter } from "#services/api/features/dataentities/views.ts";
import { staleDays } from "#services/api/stale.ts";

export { ViewCounter } from "#services/api/features/dataentities/views.ts";

/** One page of the entities that lists show, in order of id; DataEntityList as JSON text. */
export function listEntities(context: Context, filter: queries.ListFilter, page: PageQuery) {
  return queries.entityList(context.db.reads, filter, pageWindow(page), staleDays(context));
}

/** What is shown of these entities at a glance; DataEntityBriefList as JSON text. Counts no view. */
export function readBriefs(context: Context, ids: number[]) {
  return queries.entityBriefs(context.db, ids, staleDays(context));
}

/**
 * DataEntityDetails as JSON text; deleted entities stay readable. Counts a view if a view counter is given.
 * Throws 404 for an unknown or hollow entity.
 */
export async function describeEntity(context: Context, views: ViewCounter | null, id: number) {
  const json = await queries.entityDetails(context.db.reads, id, staleDays(context));
  if (json === undefined) throw notFound("Data entity", id);
  views?.record(id);
  return json;
}

/**
 * One page of a list of references without deleted ones; DataEntityRefPage as JSON text. Empty when
 * the entity's classes lack the list. Throws 404 for an unknown or hollow entity.
 */
export async function listReferences(
  context: Context,
  id: number,
  list: ReferenceList,
  page: PageQuery,
): Promise<string> {
  const json = await referencePage(context.db, id, list, pageWindow(page), staleDays(context));
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}

/** One page of the most viewed and read entities; DataEntityRefList as JSON text. */
export function listPopular(context: Context, page: PageQuery) {
  return queries.popularEntities(context.db.reads, pageWindow(page), staleDays(context));
}

/** How many entities there are, by class and type; DataEntityUsageInfo as JSON text. */
export function countUsage(context: Context) {
  return entityUsage(context.db);
}

/** How many datasets there are, and how many lack an owner, a description or tests (CatalogueCoverage). */
export function countCoverage(context: Context) {
  return readCoverage(context.db.reads);
}

const named = (name: keyof typeof entityTypes) => ({ id: entityTypes[name].id, name });
const typesOf = (name: EntityClass) =>
  entityTypeNames.filter((type) => (entityTypes[type].classes as EntityClass[]).includes(name));

/** All classes with their types, and all types (DataEntityClassAndTypeDictionary). */
export const classDictionary = {
  entity_classes: entityClassNames.map((name) => ({
    id: entityClasses[name],
    name,
    types: typesOf(name).map(named),
  })),
  types: entityTypeNames.map(named),
};
