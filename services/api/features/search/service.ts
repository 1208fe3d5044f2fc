import { requireFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { entitySearch } from "#services/api/features/search/entity-search.ts";
import { Search } from "#services/api/search/search.ts";
import { escapeHtml, highlight, type Terms, termsOf } from "#services/api/search/words.ts";

export {
  entityFacets,
  entitySearch,
  gapCondition,
} from "#services/api/features/search/entity-search.ts";

/** Where a search matches an entity. Throws 404 for an unknown search or entity. */
export async function highlights(
  context: Pick<Context, "db" | "config">,
  id: string,
  entityId: number,
) {
  const state = await new Search(context, entitySearch).state(id);
  const found = requireFound(
    await context.db.query(textsOf, [entityId, state.query]),
    "Data entity",
    entityId,
  );
  return highlightTexts(found.texts, state.query);
}

/** Must equal the limit in the database function search_documents(). */
const documentBytes = 480_000;

/** PostgreSQL's own: what is longer is in no vector. */
export const wordBytes = 2_046;

/** Limits on how much of an entity can be searched. */
export const entitySearchLimits: Limit[] = [
  limit(
    "search",
    "text that an entity is found by, bytes of UTF-8: names and sources, then names of columns, owners and " +
      "metadata, then descriptions, then values",
    documentBytes,
    "names of columns, owners and metadata are found all the same, by rows of their own; of all else the last is not " +
      "found, and tributary_search_documents_cut counts such entities",
  ),
  limit("search", "a word without marks in it, bytes of UTF-8", wordBytes, "it is not found"),
];

interface Tag {
  name: string;
}
interface Field {
  name: string;
  internal_description: string | null;
  external_description: string | null;
  tags: Tag[];
}

/** The stored texts by which an entity can be found. */
interface EntityTexts {
  data_entity: {
    external_name: string | null;
    external_description: string | null;
    internal_name: string | null;
    internal_description: string | null;
  };
  data_source: { name: string; catrn: string } | null;
  namespace: { name: string } | null;
  tags: Tag[];
  owners: { owner: string; title: string | null }[];
  terms: { name: string }[];
  metadata: { field: { name: string }; value: string }[];
  dataset_structure: Field[];
}

/** Maximum number of items of each list in an answer. */
const max = 100;

/** The texts of the entity $1 in which the query $2 may match; no row for an unknown or hollow one. */
const textsOf = statement<{ texts: EntityTexts }>("search-texts")`
  SELECT json_build_object(
    'data_entity', json_build_object(
      'external_name', e.external_name, 'external_description', e.external_description,
      'internal_name', e.internal_name, 'internal_description', e.internal_description),
    'data_source', CASE WHEN s.id IS NOT NULL
      THEN json_build_object('name', s.name, 'catrn', s.catrn) END,
    'namespace', CASE WHEN n.id IS NOT NULL THEN json_build_object('name', n.name) END,
    'tags', json_tags(e.id),
    'owners', (SELECT coalesce(json_agg(json_build_object('owner', w.name, 'title', t.name)
                        ORDER BY o.id), '[]')
                 FROM ownership o JOIN owner w ON w.id = o.owner_id
                 LEFT JOIN title t ON t.id = o.title_id WHERE o.entity_id = e.id),
    'terms', (SELECT coalesce(json_agg(json_build_object('name', t.name) ORDER BY t.name, t.id), '[]')
                FROM entity_term x JOIN term t ON t.id = x.term_id WHERE x.entity_id = e.id),
    'metadata', json_metadata(e.id),
    'dataset_structure', (
      SELECT coalesce(json_agg(json_build_object('name', coalesce(f.internal_name, f.name),
               'internal_description', f.internal_description,
               'external_description', f.external_description,
               'tags', coalesce(g.tags, '[]')) ORDER BY x.words DESC, x.ordinal), '[]')
        FROM search_columns(e.id, $2) x JOIN dataset_field f ON f.id = x.field_id
        LEFT JOIN LATERAL (
          SELECT json_agg(json_tag(t, l.external, NULL) ORDER BY t.name) AS tags
            FROM (SELECT tag_id, bool_or(origin <> 'INTERNAL') AS external
                    FROM field_tag WHERE field_id = f.id GROUP BY tag_id) l
            JOIN tag t ON t.id = l.tag_id) g ON true)) AS texts
    FROM data_entity e
    LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
   WHERE e.id = $1 AND NOT e.hollow`;

/**
 * Marks the matches of a query in an entity's texts (DataEntitySearchHighlight). Only texts with a
 * match are returned; lists contain at most 100 of them.
 */
function highlightTexts(found: EntityTexts, typed: string) {
  const terms = termsOf(typed);
  // Names before long texts, since only so much is looked through.
  const data_entity = marked(found.data_entity, terms);
  const names = found.dataset_structure.map(({ name }) => highlight(name, terms));
  return {
    data_entity,
    data_source: found.data_source && marked(found.data_source, terms),
    namespace: found.namespace && marked(found.namespace, terms),
    tags: markedTags(found.tags, terms),
    owners: found.owners.flatMap((owner) => marked(owner, terms) ?? []).slice(0, max),
    terms: found.terms.flatMap((term) => marked(term, terms) ?? []).slice(0, max),
    metadata: markedMetadata(found.metadata, terms),
    dataset_structure: markedFields(found.dataset_structure, names, terms),
  };
}

/** The members with their matches marked, null for those without; null when no member matches. */
function marked<T extends Record<string, string | null>>(
  object: T,
  terms: Terms,
): Record<keyof T, string | null> | null {
  const entries = Object.entries(object).map(([key, value]) => [key, highlight(value, terms)]);
  if (entries.every(([, html]) => html === null)) return null;
  return Object.fromEntries(entries) as Record<keyof T, string | null>;
}

function markedTags(tags: Tag[], terms: Terms): Tag[] {
  return tags.flatMap((tag) => {
    const name = highlight(tag.name, terms);
    return name === null ? [] : [{ ...tag, name }];
  }).slice(0, max);
}

function markedMetadata(metadata: EntityTexts["metadata"], terms: Terms) {
  return metadata.flatMap(({ field, value }) => {
    const found = marked({ name: field.name, value }, terms);
    if (!found) return [];
    // The name or value is shown even without a match, and must then be escaped here.
    const name = found.name ?? escapeHtml(field.name);
    return [{ field: { ...field, name }, value: found.value ?? escapeHtml(value) }];
  }).slice(0, max);
}

/** The fields with a match, those with most words first; `names` are theirs with matches marked, or null. */
function markedFields(fields: Field[], names: (string | null)[], terms: Terms) {
  const found = [];
  for (const [i, field] of fields.entries()) {
    if (found.length === max) break;
    const one = markedField(field, names[i]!, terms);
    if (one) found.push(one);
  }
  return found;
}

function markedField({ name, tags, ...texts }: Field, marks: string | null, terms: Terms) {
  const highlighted = marked(texts, terms);
  const matching = markedTags(tags, terms);
  if (marks === null && !highlighted && matching.length === 0) return null;
  return {
    name: marks ?? escapeHtml(name),
    internal_description: highlighted?.internal_description ?? null,
    external_description: highlighted?.external_description ?? null,
    tags: matching,
  };
}
