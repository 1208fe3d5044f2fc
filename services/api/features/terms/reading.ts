import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, type PageWindow, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/terms/queries.ts";
import { staleDays } from "#services/api/stale.ts";
import { listOfFound } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db" | "config">;

/** Times are RFC 3339 and both belong to the range. */
interface TermsQuery extends ListQuery {
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
  return found(await linkedEntities(context.db.reads, filter, page, staleDays(context)), id);
}

/** One page of the columns that are linked with a term; DatasetFieldList as JSON text. Throws 404. */
export async function listColumns({ db }: Deps, id: number, query: ListQuery): Promise<string> {
  return found(await linkedColumns(db.reads, filterOf(id, query), pageWindow(query)), id);
}

/** One page of the terms that are linked with a term; LinkedTermList as JSON text. Throws 404. */
export async function listLinkedTerms(
  { db }: Deps,
  id: number,
  query: ListQuery,
): Promise<string> {
  return found(await linkedTerms(db.reads, filterOf(id, query), pageWindow(query)), id);
}

const filterOf = (term: number, { query = "" }: ListQuery) => ({ term, text: query.trim() });

function found(json: string | undefined, key: number | string): string {
  if (json === undefined) throw notFound("Term", key);
  return json;
}

// $1 is the term. `text`, a parameter, must be in one of the names in any case; empty: any.
const named = (text: string, ...names: string[]) =>
  `(${text}::text = '' OR strpos(search_lower(concat_ws(E'\\n', ${
    names.join(", ")
  })), search_lower(${text})) > 0)`;

const listOfEntities = (found: string) =>
  `WITH found AS MATERIALIZED (${found})
  SELECT text_data_entity_list(ARRAY(SELECT id FROM found ORDER BY id LIMIT $2 OFFSET $3),
           total, $2::bigint + $3 < total, $4) AS json
    FROM term t, (SELECT count(*) AS total FROM found) counted WHERE t.id = $1`;

// Separate from the filtered ones, since it needs only indexes, and the same plan serves every term.
const entities = statement<JsonRow>("term-linked-entities")`
  ${listOfEntities("SELECT id FROM term_entities($1)")}`;

const entitiesFiltered = statement<JsonRow>("term-linked-entities-filtered")`
  ${
  listOfEntities(`
    SELECT e.id FROM term_entities($1) e
     WHERE ${named("$5", "e.internal_name", "e.external_name")}
       AND ($6::smallint IS NULL OR $6 = ANY(e.class_ids))`)
}`;

/** Which of what is linked with a term to list. */
interface LinkedFilter {
  term: number;
  /** Part of a name in any case; empty for any. */
  text: string;
}

/** DataEntityList as JSON text, in order of id; undefined for an unknown term. */
async function linkedEntities(
  db: Queryable,
  { term, text, classId }: LinkedFilter & { classId: number | null },
  { limit, offset }: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  const values = [term, limit, offset, staleDays];
  const rows = text === "" && classId === null
    ? await db.query(entities, values)
    : await db.query(entitiesFiltered, [...values, text, classId]);
  return rows[0]?.json;
}

const column = `json_build_object('id', f.id, 'parent_field_id', parent.id,
    'catrn', f.catrn, 'name', f.name, 'internal_name', f.internal_name,
    'type', json_build_object('type', f.type, 'logical_type', f.logical_type,
      'is_nullable', f.is_nullable), 'is_key', f.is_key, 'is_value', f.is_value,
    'is_primary_key', f.is_primary_key, 'is_sort_key', f.is_sort_key,
    'default_value', f.default_value, 'external_description', f.external_description,
    'internal_description', f.internal_description,
    'dataEntityName', dataset.name, 'dataEntityId', dataset.id,
    'ownership', dataset.ownership, 'data_source', dataset.source)`;

// What is said of a dataset is worked out once for all its columns. Parents are fields of the newest structure, too.
const columns = statement<JsonRow>("term-linked-columns")`
  WITH found AS MATERIALIZED (
    SELECT f.id, f.name FROM term_fields($1) x JOIN dataset_field f ON f.id = x.field_id
     WHERE ${named("$2", "f.internal_name", "f.name")}
  ), page AS MATERIALIZED (
    SELECT f FROM dataset_field f
     WHERE f.id IN (SELECT id FROM found ORDER BY name, id LIMIT $3 OFFSET $4)
  ), parent AS MATERIALIZED (
    SELECT p.id, p.dataset_id, p.catrn
      FROM latest_fields(ARRAY(SELECT DISTINCT (f).dataset_id FROM page
                                WHERE (f).parent_catrn IS NOT NULL)) l
      JOIN dataset_field p ON p.id = l.field_id
     WHERE (p.dataset_id, p.catrn) IN (SELECT (f).dataset_id, (f).parent_catrn FROM page)
  ), dataset AS MATERIALIZED (
    SELECT e.id, coalesce(e.internal_name, e.external_name) AS name,
           json_ownership(e.id) AS ownership, json_data_source(e.data_source_id) AS source
      FROM data_entity e WHERE e.id IN (SELECT (f).dataset_id FROM page))
  SELECT json_build_object(
           'items', (SELECT coalesce(json_agg(${column} ORDER BY f.name, f.id), '[]')
                       FROM (SELECT (f).* FROM page) f JOIN dataset ON dataset.id = f.dataset_id
                       LEFT JOIN parent
                         ON (parent.dataset_id, parent.catrn) = (f.dataset_id, f.parent_catrn)),
           'page_info', json_build_object('total', total, 'hasNext', $3::bigint + $4 < total))::text
           AS json
    FROM term t, (SELECT count(*) AS total FROM found) counted WHERE t.id = $1`;

/** DatasetFieldList as JSON text, by name; undefined for an unknown term. */
async function linkedColumns(
  db: Queryable,
  { term, text }: LinkedFilter,
  { limit, offset }: PageWindow,
): Promise<string | undefined> {
  return (await db.query(columns, [term, text, limit, offset]))[0]?.json;
}

const terms = statement<JsonRow>("term-linked-terms")`
  WITH found AS (
    SELECT t, n, l.mentioned FROM term_linked_term l JOIN term t ON t.id = l.other_id
      JOIN namespace n ON n.id = t.namespace_id
     WHERE l.term_id = $1 AND ${named("$2", "t.name")})
  ${
  listOfFound({
    each: "json_linked_term(t, n, mentioned)",
    by: "(n).name, (t).name",
    window: ["$3", "$4"],
  })
} WHERE EXISTS (SELECT FROM term WHERE id = $1)`;

/** LinkedTermList as JSON text, by namespace and name; undefined for an unknown term. */
async function linkedTerms(
  db: Queryable,
  { term, text }: LinkedFilter,
  { limit, offset }: PageWindow,
): Promise<string | undefined> {
  return (await db.query(terms, [term, text, limit, offset]))[0]?.json;
}
