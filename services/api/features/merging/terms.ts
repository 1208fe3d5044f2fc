import { badRequest, conflict } from "#kit/errors.ts";
import type { TermState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Caller } from "#platform/operations/caller.ts";
import {
  copyLinks,
  type Deps,
  differ,
  lockUses,
  maxMoved,
  type Merge,
  type MergeResult,
  mergeSpellings,
  spellingsOfTerm,
} from "#services/api/features/merging/merge.ts";

/**
 * Merges all spellings of a term, in namespaces whose names are one, into this one, which keeps its definition. Texts that
 * mention any of them mention this one. Throws 404, 400 when another one's definition would be lost, and 403 without
 * TERM_DELETE on each of the others.
 */
export async function mergeTerms(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  const allowed = new Set<number>([id]);
  for (const term of await deps.db.query(spellingsOfTerm, [id])) {
    if (term.id === id) continue;
    const resource = { kind: "term" as const, id: term.id };
    await deps.authorizer.authorize(actor, { permission: "TERM_DELETE", resource });
    allowed.add(term.id);
  }
  return await mergeSpellings(deps, actor, "term", id, async (merge) => {
    const come = merge.from.find((term) => !allowed.has(term.id));
    if (come) throw conflict(`Term ${come.id} was made meanwhile: try again`);
    await moveTerm(merge);
  });
}

async function moveTerm(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((term) => term.id);
  await refuseDefinitions(merge, from);
  const entities = (await tx.query(linkedEntities, [from, maxMoved + 1])).map(({ id }) => id);
  const fields = await tx.query(linkedFields, [from, maxMoved + 1]);
  await lockUses(merge, entities, fields.map((field) => field.datasetId));
  const read = async () => ({
    entities: await termStates(tx, "entity", entities),
    fields: await termStates(tx, "field", fields.map((field) => field.id)),
  });
  const before = await read();
  await moveLinks(tx, into.id, from);
  recordTerms(merge, { entities, fields, before, after: await read() });
  change.searchable(entities);
  change.searchable([into.id], "term");
}

async function refuseDefinitions({ change, into, from }: Merge, ids: number[]): Promise<void> {
  const others = new Set(
    (await change.tx.query(otherDefinitions, [into.id, ids])).map((t) => t.id),
  );
  if (others.size === 0) return;
  const names = from.filter(({ id }) => others.has(id)).map(({ id, name }) => `${name} (${id})`);
  throw badRequest(
    `The definition of ${
      names.join(", ")
    } differs from that of ${into.name} (${into.id}) and would be lost: ` +
      "make them the same, or empty the one that is not to stay",
  );
}

type States = Awaited<ReturnType<typeof termStates>>;
interface MovedLinks {
  entities: number[];
  fields: LinkedField[];
  before: { entities: States; fields: States };
  after: { entities: States; fields: States };
}

function recordTerms({ change }: Merge, { entities, fields, before, after }: MovedLinks): void {
  for (const entityId of entities) {
    const states = { before: before.entities.get(entityId)!, after: after.entities.get(entityId)! };
    if (differ(states.before, states.after)) {
      change.record({ type: "TERM_ASSIGNMENT_UPDATED", entityId, ...states });
    }
  }
  for (const { id, name, type, datasetId } of fields) {
    change.record({
      type: "DATASET_FIELD_TERM_ASSIGNMENT_UPDATED",
      entityId: datasetId,
      before: { id, name, type, terms: before.fields.get(id)! },
      after: { id, name, type, terms: after.fields.get(id)! },
    });
  }
}

/** Those of the terms $2 whose definitions would be lost. */
const otherDefinitions = statement<{ id: number }>("merge-term-definitions")`
  SELECT id FROM term WHERE id = ANY($2::bigint[]) AND btrim(definition) <> ''
     AND definition <> (SELECT definition FROM term WHERE id = $1) ORDER BY id`;

/** At most $2 entities that people linked with one of the terms $1. */
const linkedEntities = statement<{ id: number }>("merge-term-entities")`
  SELECT DISTINCT entity_id AS id FROM entity_term WHERE term_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** A column that people linked with one of the terms. */
interface LinkedField {
  id: number;
  datasetId: number;
  name: string;
  type: unknown;
}

/** At most $2 columns that people linked with one of the terms $1. */
const linkedFields = statement<LinkedField>("merge-term-fields")`
  SELECT f.id, f.dataset_id AS "datasetId", f.name, json_field_type(f) AS type
    FROM dataset_field f
   WHERE f.id IN (SELECT field_id FROM field_term WHERE term_id = ANY($1::bigint[])) ORDER BY f.id LIMIT $2`;

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
async function termStates(tx: Transaction, of: keyof typeof states, ids: number[]) {
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

const leave = [
  statement("merge-term-leave-entities")`DELETE FROM entity_term WHERE term_id = ANY($1::bigint[])`,
  statement("merge-term-leave-fields")`DELETE FROM field_term WHERE term_id = ANY($1::bigint[])`,
];

/** Gives a term all that is linked with others, and who and what they have; takes those from entities and columns. */
async function moveLinks(tx: Transaction, into: number, from: number[]): Promise<void> {
  for (const move of moves) await tx.query(move, [into, from]);
  for (const left of leave) await tx.query(left, [from]);
}
