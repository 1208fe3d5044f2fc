import { badRequest, conflict } from "#kit/errors.ts";
import type { Caller } from "#platform/operations/caller.ts";
import {
  type Deps,
  differ,
  lockUses,
  type Merge,
  type MergeResult,
  mergeSpellings,
} from "#services/api/features/merging/merge.ts";
import { maxMoved } from "#services/api/features/merging/moving.ts";
import { spellingsOfTerm } from "#services/api/features/merging/spellings.queries.ts";
import * as queries from "#services/api/features/merging/terms.queries.ts";

/**
 * Merges all spellings of a term, in namespaces whose names are one, into this one, which keeps its definition. Texts that
 * mention any of them mention this one. Throws 404, 400 when another one's definition would be lost, and 403 without
 * TERM_DELETE on each of the others.
 */
export async function mergeTerms(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  const allowed = new Set<number>([id]);
  for (const term of await spellingsOfTerm(deps.db, id)) {
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
  const entities = await queries.linkedEntities(tx, from, maxMoved + 1);
  const fields = await queries.linkedFields(tx, from, maxMoved + 1);
  await lockUses(merge, entities, fields.map((field) => field.datasetId));
  const read = async () => ({
    entities: await queries.termStates(tx, "entity", entities),
    fields: await queries.termStates(tx, "field", fields.map((field) => field.id)),
  });
  const before = await read();
  await queries.moveTerms(tx, into.id, from);
  await queries.leaveTerms(tx, from);
  recordTerms(merge, { entities, fields, before, after: await read() });
  change.searchable(entities);
  change.searchable([into.id], "term");
}

async function refuseDefinitions({ change, into, from }: Merge, ids: number[]): Promise<void> {
  const others = await queries.otherDefinitions(change.tx, into.id, ids);
  if (others.length === 0) return;
  const names = from.filter(({ id }) => others.includes(id)).map(({ id, name }) =>
    `${name} (${id})`
  );
  throw badRequest(
    `The definition of ${
      names.join(", ")
    } differs from that of ${into.name} (${into.id}) and would be lost: ` +
      "make them the same, or empty the one that is not to stay",
  );
}

type States = Awaited<ReturnType<typeof queries.termStates>>;
interface MovedLinks {
  entities: number[];
  fields: queries.LinkedField[];
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
