import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/terms/queries.ts";
import * as linked from "#services/api/features/terms/reading.queries.ts";
import { staleDays } from "#services/api/stale.ts";

type Deps = Pick<Context, "db" | "config">;

/** Times are RFC 3339 and both belong to the range. */
export interface TermsQuery extends ListQuery {
  since?: string | undefined;
  until?: string | undefined;
}

/** One page of the terms whose name contains `query`, by name; TermRefList as JSON text. */
export function listTerms({ db }: Deps, params: TermsQuery): Promise<string> {
  const { query, since = null, until = null } = params;
  const pattern = query === undefined ? null : containsPattern(query);
  return queries.termList(db.reads, { pattern, since, until }, pageWindow(params));
}

/** TermDetails as JSON text. Throws 404. */
export async function describeTerm({ db }: Deps, id: number): Promise<string> {
  return found(await queries.termDetails(db.reads, id), id);
}

/** TermRef as JSON text. Throws 404. */
export async function findTerm({ db }: Deps, namespace: string, name: string): Promise<string> {
  return found(await queries.termNamed(db.reads, namespace, name), `${namespace}:${name}`);
}

/** One page of the entities that are linked with a term; DataEntityList as JSON text. Throws 404. */
export async function listEntities(
  context: Deps,
  id: number,
  query: ListQuery & { entity_class_id?: number | undefined },
): Promise<string> {
  const filter = { ...filterOf(id, query), classId: query.entity_class_id ?? null };
  const page = pageWindow(query);
  return found(await linked.linkedEntities(context.db.reads, filter, page, staleDays(context)), id);
}

/** One page of the columns that are linked with a term; DatasetFieldList as JSON text. Throws 404. */
export async function listColumns({ db }: Deps, id: number, query: ListQuery): Promise<string> {
  return found(await linked.linkedColumns(db.reads, filterOf(id, query), pageWindow(query)), id);
}

/** One page of the terms that are linked with a term; LinkedTermList as JSON text. Throws 404. */
export async function listLinkedTerms(
  { db }: Deps,
  id: number,
  query: ListQuery,
): Promise<string> {
  return found(await linked.linkedTerms(db.reads, filterOf(id, query), pageWindow(query)), id);
}

const filterOf = (term: number, { query = "" }: ListQuery) => ({ term, text: query.trim() });

function found(json: string | undefined, key: number | string): string {
  if (json === undefined) throw notFound("Term", key);
  return json;
}
