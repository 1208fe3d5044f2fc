import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/terms/queries.ts";
import { staleDays } from "#services/api/stale.ts";
import { foundJson, listOfFound } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db" | "config">;

/** Times are RFC 3339 and both belong to the range. */
interface TermsQuery extends ListQuery {
  since?: string | undefined;
  until?: string | undefined;
}

/** One page of the terms whose name contains `query`, by name; TermRefList as JSON text. */
export async function listTerms({ db }: Deps, params: TermsQuery): Promise<string> {
  const { query, since = null, until = null } = params;
  const pattern = query === undefined ? null : containsPattern(query);
  const { limit, offset } = pageWindow(params);
  return (await db.reads.query(queries.list, [pattern, since, until, limit, offset]))[0]!.json;
}

/** TermDetails as JSON text. Throws 404. */
export async function describeTerm({ db }: Deps, id: number): Promise<string> {
  return foundJson(await db.reads.query(queries.details, [id]), "Term", id);
}

/** TermRef as JSON text. Throws 404. */
export async function findTerm({ db }: Deps, namespace: string, name: string): Promise<string> {
  return foundJson(
    await db.reads.query(queries.named, [namespace, name]),
    "Term",
    `${namespace}:${name}`,
  );
}

/** One page of the entities that are linked with a term; DataEntityList as JSON text. Throws 404. */
export async function listEntities(
  context: Deps,
  id: number,
  query: ListQuery & { entity_class_id?: number | undefined },
): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const text = textOf(query);
  const classId = query.entity_class_id ?? null;
  const values = [id, limit, offset, staleDays(context)];
  const { reads } = context.db;
  const rows = text === "" && classId === null
    ? await reads.query(entities, values)
    : await reads.query(entitiesFiltered, [...values, text, classId]);
  return foundJson(rows, "Term", id);
}

/** One page of the columns that are linked with a term; DatasetFieldList as JSON text. Throws 404. */
export async function listColumns({ db }: Deps, id: number, query: ListQuery): Promise<string> {
  const { limit, offset } = pageWindow(query);
  return foundJson(await db.reads.query(columns, [id, textOf(query), limit, offset]), "Term", id);
}

/** One page of the terms that are linked with a term; LinkedTermList as JSON text. Throws 404. */
export async function listLinkedTerms({ db }: Deps, id: number, query: ListQuery) {
  const { limit, offset } = pageWindow(query);
  return foundJson(await db.reads.query(terms, [id, textOf(query), limit, offset]), "Term", id);
}

/** Part of a name in any case; empty for any. */
const textOf = ({ query = "" }: ListQuery) => query.trim();

// $1 is the term; no row for an unknown one. `text`, a parameter, must be in one of the names in any case; empty: any.
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
