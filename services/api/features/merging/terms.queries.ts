import type { TermState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { copyLinks } from "#services/api/features/merging/moving.ts";

const definitions = statement<{ id: number }>("merge-term-definitions")`
  SELECT id FROM term WHERE id = ANY($2::bigint[]) AND btrim(definition) <> ''
     AND definition <> (SELECT definition FROM term WHERE id = $1) ORDER BY id`;

/** Those of the terms whose definitions would be lost. */
export async function otherDefinitions(tx: Transaction, into: number, from: number[]) {
  return (await tx.query(definitions, [into, from])).map(({ id }) => id);
}

const entities = statement<{ id: number }>("merge-term-entities")`
  SELECT DISTINCT entity_id AS id FROM entity_term WHERE term_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** At most `limit` entities that people linked with one of these terms. */
export async function linkedEntities(tx: Transaction, terms: number[], limit: number) {
  return (await tx.query(entities, [terms, limit])).map(({ id }) => id);
}

/** A column that people linked with one of the terms. */
export interface LinkedField {
  id: number;
  datasetId: number;
  name: string;
  type: unknown;
}

const fields = statement<LinkedField>("merge-term-fields")`
  SELECT f.id, f.dataset_id AS "datasetId", f.name, json_field_type(f) AS type
    FROM dataset_field f
   WHERE f.id IN (SELECT field_id FROM field_term WHERE term_id = ANY($1::bigint[])) ORDER BY f.id LIMIT $2`;

/** At most `limit` of them. */
export function linkedFields(tx: Transaction, terms: number[], limit: number) {
  return tx.query(fields, [terms, limit]);
}

const stating = (of: "entity" | "field") =>
  statement<{ id: number; terms: TermState[] }>(`merge-term-${of}-states`)`
  SELECT w.id, (
           SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'namespace', n.name,
                             'is_description_link', l.mentioned) ORDER BY n.name, t.name), '[]')
             FROM ${of}_linked_term l JOIN term t ON t.id = l.term_id JOIN namespace n ON n.id = t.namespace_id
            WHERE l.${of}_id = w.id) AS terms
    FROM unnest($1::bigint[]) AS w (id)`;
const states = { entity: stating("entity"), field: stating("field") };

/** The terms of entities or columns, as the activity feed lists them. */
export async function termStates(tx: Transaction, of: keyof typeof states, ids: number[]) {
  return new Map((await tx.query(states[of], [ids])).map(({ id, terms }) => [id, terms]));
}

// What the terms themselves have goes with them.
const moves = [
  copyLinks("entity_term", "term_id", ["entity_id"]),
  copyLinks("field_term", "term_id", ["field_id"]),
  copyLinks("term_tag", "term_id", ["tag_id"]),
  copyLinks("term_ownership", "term_id", ["owner_id", "title_id"]),
  copyLinks("term_query_example", "term_id", ["example_id"]),
  copyLinks("favorite", "term_id", ["username", "provider", "added_at"]),
  copyLinks("recently_viewed", "term_id", ["username", "provider", "last_viewed_at"]),
  statement("merge-term-links")`
    INSERT INTO term_link (term_id, other_id)
    SELECT DISTINCT least($1::bigint, other), greatest($1::bigint, other) FROM (
      SELECT other_id AS other FROM term_link WHERE term_id = ANY($2::bigint[])
      UNION SELECT term_id FROM term_link WHERE other_id = ANY($2::bigint[])) o
     WHERE other <> $1 AND other <> ALL($2::bigint[])
    ON CONFLICT DO NOTHING`,
];

/** Gives a term all that is linked with others, and who and what they have. */
export async function moveTerms(tx: Transaction, into: number, from: number[]): Promise<void> {
  for (const move of moves) await tx.query(move, [into, from]);
}

const leave = [
  statement("merge-term-leave-entities")`DELETE FROM entity_term WHERE term_id = ANY($1::bigint[])`,
  statement("merge-term-leave-fields")`DELETE FROM field_term WHERE term_id = ANY($1::bigint[])`,
];

/** Takes terms from entities and columns. */
export async function leaveTerms(tx: Transaction, ids: number[]): Promise<void> {
  for (const left of leave) await tx.query(left, [ids]);
}
