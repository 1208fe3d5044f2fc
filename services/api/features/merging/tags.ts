import type { Caller } from "#platform/operations/caller.ts";
import {
  type Deps,
  lockUses,
  type Merge,
  type MergeResult,
  mergeSpellings,
} from "#services/api/features/merging/merge.ts";
import { maxMoved } from "#services/api/features/merging/moving.ts";
import * as queries from "#services/api/features/merging/tags.queries.ts";

/**
 * Merges all spellings of a tag into this one, which is then on everything that any of them was on. Throws 404, and 403
 * without TAG_DELETE.
 */
export async function mergeTags(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  await deps.authorizer.authorize(actor, { permission: "TAG_DELETE", resource: null });
  return await mergeSpellings(deps, actor, "tag", id, moveTags);
}

async function moveTags(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((tag) => tag.id);
  const entities = await queries.taggedEntities(tx, from, maxMoved + 1);
  const fields = await queries.taggedFields(tx, from, maxMoved + 1);
  const datasets = fields.map((field) => field.datasetId);
  await lockUses(merge, entities, datasets);
  const read = async () => ({
    entities: await queries.tagStates(tx, "entity", entities),
    fields: await queries.tagStates(tx, "field", fields.map((field) => field.id)),
  });
  const before = await read();
  const terms = await queries.moveTags(tx, into.id, from);
  const after = await read();
  recordTags(merge, entities, fields, before, after);
  change.searchable([...entities, ...datasets]);
  change.searchable(terms, "term");
}

type States = Awaited<ReturnType<typeof queries.tagStates>>;
type TaggedStates = { entities: States; fields: States };

function recordTags(
  { change }: Merge,
  entities: number[],
  fields: queries.TaggedField[],
  before: TaggedStates,
  after: TaggedStates,
): void {
  for (const entityId of entities) {
    change.record({
      type: "TAG_ASSIGNMENT_UPDATED",
      entityId,
      before: before.entities.get(entityId)!,
      after: after.entities.get(entityId)!,
    });
  }
  for (const { id, name, type, datasetId, current } of fields) {
    if (!current) continue;
    change.record({
      type: "DATASET_FIELD_TAGS_UPDATED",
      entityId: datasetId,
      before: { id, name, type, tags: before.fields.get(id)! },
      after: { id, name, type, tags: after.fields.get(id)! },
    });
  }
}
