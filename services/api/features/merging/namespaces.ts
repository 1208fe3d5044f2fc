import { hasDependants } from "#kit/errors.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { recordingGroups } from "#services/api/features/groups/service.ts";
import {
  type Deps,
  lockUses,
  type Merge,
  type MergeResult,
  mergeSpellings,
} from "#services/api/features/merging/merge.ts";
import { maxMoved } from "#services/api/features/merging/moving.ts";
import * as queries from "#services/api/features/merging/namespaces.queries.ts";

/**
 * Merges all spellings of a namespace into this one, in which everything then is that any of them had. Throws 404, 400
 * (USR004) while two of them have a term or a lookup table of one name, and 403 without NAMESPACE_DELETE.
 */
export async function mergeNamespaces(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  await deps.authorizer.authorize(actor, { permission: "NAMESPACE_DELETE", resource: null });
  return await mergeSpellings(deps, actor, "namespace", id, moveNamespace);
}

async function moveNamespace(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((namespace) => namespace.id);
  const clashes = await queries.clashingNames(tx, into.id, from);
  if (clashes.length > 0) {
    const kinds = clashes.map(({ what, names }) => `${what} ${names.join(", ")}`).join("; ");
    throw hasDependants(
      `More than one of the namespaces has ${kinds}: merge these terms, or rename these tables, first`,
    );
  }
  const entities = await queries.entitiesIn(tx, from, maxMoved + 1);
  const ids = entities.map(({ id }) => id);
  await lockUses(merge, ids);
  const groups = entities.filter(({ manual }) => manual).map(({ id }) => id);
  await recordingGroups(change, groups, async () => {
    change.searchable(await queries.moveContents(tx, into.id, from), "term");
  });
  change.searchable(ids);
}
