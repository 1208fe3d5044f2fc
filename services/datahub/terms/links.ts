import { maxName } from "#contract/text.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import { objectsOf, textOf } from "#platform/datahub/values.ts";
import { maxValues, titleOf } from "../mapper/common.ts";
import { type EntityFacts, isRemoved, type Names } from "../mapper/facts.ts";

/** The namespace of terms that stand in no node of the glossary. */
const usualNamespace = "DataHub";

/** Longest definition that is stored, UTF-16 units. */
const maxDefinition = 10_000;

/** The terms of an entity that is posted as `catrn`, or the term that the entity is; none of one that was removed. */
export function termLinks(
  { urn, aspects, names, parsed }: EntityFacts,
  catrn: string | undefined,
): TermLink[] {
  if (isRemoved(aspects)) return [];
  if (parsed.type === "glossaryTerm") {
    return aspects.has("glossaryTermInfo") ? [{ urn, catrn: null, ...termOf(urn, names) }] : [];
  }
  if (catrn === undefined) return [];
  const terms = objectsOf(aspects.get("glossaryTerms")?.terms).flatMap((one) =>
    textOf(one.urn) ?? []
  );
  return [...new Set(terms)].slice(0, maxValues)
    .map((term) => ({ urn, catrn, ...termOf(term, names) }))
    .filter(({ name }) => name !== "");
}

function termOf(
  term: string,
  names: Names,
): Pick<TermLink, "term" | "namespace" | "name" | "definition"> {
  const info = names.aspectsOf(term).get("glossaryTermInfo");
  const node = textOf(info?.parentNode);
  const namespace = node === undefined
    ? usualNamespace
    : cut(titleOf(node, names)) || usualNamespace;
  const definition = (textOf(info?.definition) ?? "").slice(0, maxDefinition).toWellFormed();
  return {
    term,
    namespace,
    name: cut(titleOf(term, names)),
    definition: definition.replaceAll("\0", ""),
  };
}

const cut = (text: string) =>
  text.replaceAll("\0", "").trim().slice(0, maxName).toWellFormed().trim();

/** Notes what the entities that were mapped are linked with; `applyLinks` makes the catalogue agree. */
export async function recordTermLinks(
  tx: Transaction,
  urns: string[],
  links: TermLink[],
): Promise<void> {
  if (urns.length === 0) return;
  const columns = columnsOf(links, "urn", "term", "catrn", "namespace", "name", "definition");
  await tx.query(recordLinks, [urns, ...columns]);
}

/** What is linked with a term, and what the term is. */
export interface TermLink {
  /** Of the entity, or of the term itself where it is only defined. */
  urn: string;
  term: string;
  catrn: string | null;
  namespace: string;
  name: string;
  definition: string;
}

/** $1 urns that were mapped, the rest by index: $2 urns, $3 terms, $4 CATRNs, $5 namespaces, $6 names, $7 definitions. */
const recordLinks = statement("dh-record-term-links")`
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
      AS g (urn, term, catrn, namespace, name, definition)
  ), gone AS (
    UPDATE dh_term_link l SET wanted = false, due_at = now()
     WHERE l.urn = ANY($1::text[]) AND l.wanted
       AND NOT EXISTS (SELECT FROM given g WHERE (g.urn, g.term) = (l.urn, l.term)))
  INSERT INTO dh_term_link AS l (urn, term, catrn, namespace, name, definition, wanted, due_at)
  SELECT urn, term, catrn, namespace, name, definition, true, now() FROM given
  ON CONFLICT (urn, term) DO UPDATE
     SET catrn = excluded.catrn, namespace = excluded.namespace, name = excluded.name,
         definition = excluded.definition, wanted = true, due_at = now()
   WHERE (l.catrn, l.namespace, l.name, l.definition, l.wanted)
         IS DISTINCT FROM (excluded.catrn, excluded.namespace, excluded.name, excluded.definition, true)`;

export type DueLink = TermLink & {
  wanted: boolean;
  entity_id: number | null;
  term_id: number | null;
  defined: string | null;
  /** The live entity of its CATRN; null where there is none yet. */
  target: number | null;
};

/** $1 limit: links that are due, the longest first. */
export const dueLinks = statement<DueLink>("dh-due-term-links")`
  SELECT l.urn, l.term, l.catrn, l.namespace, l.name, l.definition, l.wanted, l.entity_id, l.term_id, l.defined,
         (SELECT e.id FROM data_entity e WHERE e.catrn = l.catrn AND NOT e.hollow AND is_live(e.status)) AS target
    FROM dh_term_link l WHERE l.due_at <= now() ORDER BY l.due_at LIMIT $1 FOR UPDATE OF l SKIP LOCKED`;

/** $1 ids of namespaces, $2 names, $3 definitions, by index: adds terms that are not there yet. */
export const addTerms = statement<{ id: number }>("dh-add-terms")`
  INSERT INTO term (namespace_id, name, folded, definition)
  SELECT DISTINCT ON (g.namespace_id, k.key) g.namespace_id, g.name, k.key, g.definition
    FROM unnest($1::bigint[], $2::text[], $3::text[]) AS g (namespace_id, name, definition)
   CROSS JOIN LATERAL (SELECT name_key(g.name) OFFSET 0) AS k (key)
   WHERE NOT EXISTS (SELECT FROM term t WHERE (t.namespace_id, t.folded) = (g.namespace_id, k.key))
   ORDER BY 1, k.key, g.definition DESC
  ON CONFLICT DO NOTHING RETURNING id`;

/** $1 ids of namespaces, $2 names, by index: the terms of these names, which nobody deletes meanwhile. */
export const termsNamed = statement<{ namespace_id: number; name: string; id: number }>(
  "dh-terms-named",
)`
  SELECT g.namespace_id, g.name, t.id
    FROM unnest($1::bigint[], $2::text[]) AS g (namespace_id, name)
    JOIN term t ON (t.namespace_id, t.folded) = (g.namespace_id, (SELECT name_key(g.name)))
   ORDER BY t.id FOR KEY SHARE OF t`;

/** $1 ids of terms, $2 definitions, $3 those that they were given before, by index; what people wrote stays. */
export const defineTerms = statement<{ id: number }>("dh-define-terms")`
  UPDATE term t SET definition = g.definition, updated_at = now()
    FROM unnest($1::bigint[], $2::text[], $3::text[]) AS g (id, definition, defined)
   WHERE t.id = g.id AND t.definition <> g.definition AND g.definition <> ''
     AND (t.definition = '' OR t.definition = g.defined) RETURNING t.id`;

/** $1 ids of entities, $2 of terms, by index: adds links; those that were not there before. */
export const addLinks = statement<{ entity_id: number; term_id: number }>("dh-add-entity-terms")`
  INSERT INTO entity_term (entity_id, term_id)
  SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING RETURNING entity_id, term_id`;

/** $1 ids of entities, $2 of terms, by index: removes links that no other urn asks for. */
export const removeLinks = statement("dh-remove-entity-terms")`
  DELETE FROM entity_term x USING unnest($1::bigint[], $2::bigint[]) AS g (entity_id, term_id)
   WHERE (x.entity_id, x.term_id) = (g.entity_id, g.term_id)
     AND (SELECT count(*) FROM dh_term_link l WHERE (l.entity_id, l.term_id) = (g.entity_id, g.term_id)) <= 1`;

/** $1 urns, $2 terms, $3 ids of entities, $4 of terms, $5 definitions, $6 seconds until they are tried again, by index. */
export const settleLinks = statement("dh-settle-term-links")`
  UPDATE dh_term_link l SET entity_id = g.entity_id, term_id = g.term_id, defined = g.defined,
         due_at = now() + make_interval(secs => g.seconds)
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::float8[])
      AS g (urn, term, entity_id, term_id, defined, seconds)
   WHERE (l.urn, l.term) = (g.urn, g.term)`;

/** $1 urns, $2 terms, by index: links that are no longer. */
export const forgetLinks = statement("dh-forget-term-links")`
  DELETE FROM dh_term_link l USING unnest($1::text[], $2::text[]) AS g (urn, term)
   WHERE (l.urn, l.term) = (g.urn, g.term)`;
