import { badRequest, forbidden } from "#kit/errors.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { personOf } from "#services/api/access/callers/person.ts";
import {
  type Deps,
  differ,
  lockUses,
  type Merge,
  type MergeResult,
  mergeSpellings,
} from "#services/api/features/merging/merge.ts";
import { maxMoved } from "#services/api/features/merging/moving.ts";
import * as queries from "#services/api/features/merging/owners.queries.ts";

/**
 * Merges all spellings of an owner into this one, which then owns what any of them owned and has their roles and user.
 * Throws 404, 400 when users are bound to more than one of them, and 403 without OWNER_DELETE, or without
 * OWNER_RELATION_MANAGE where the caller is bound to one of them: nobody gives himself rights.
 */
export async function mergeOwners(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  const { authorizer } = deps;
  await authorizer.authorize(actor, { permission: "OWNER_DELETE", resource: null });
  const manages = (await authorizer.permissionsOf(actor)).includes("OWNER_RELATION_MANAGE");
  return await mergeSpellings(deps, actor, "owner", id, async (merge) => {
    await checkUsers(merge, actor, manages);
    await moveOwner(merge);
  });
}

async function checkUsers({ change, into, from }: Merge, actor: Caller, manages: boolean) {
  const all = [into, ...from];
  const users = await queries.boundUsers(change.tx, all.map(({ id }) => id));
  const person = personOf(actor);
  const own = users.find((user) =>
    user.username === person?.username && user.provider === person.provider
  );
  if (own && !manages) {
    const name = all.find(({ id }) => id === own.owner)!.name;
    throw forbidden(`Owner ${name} is yours: OWNER_RELATION_MANAGE is needed to merge it`);
  }
  if (users.length > 1) {
    const bound = users.map(({ owner, username }) => `${username} to owner ${owner}`).join(", ");
    throw badRequest(
      `Users are bound to more than one of the owners (${bound}): unbind all but one`,
    );
  }
  for (const { owner, username } of users) {
    if (owner !== into.id) {
      change.audit(
        "OWNER_BOUND",
        `user ${username} to owner ${into.id} ${into.name}, merged from ${owner}`,
      );
    }
  }
}

async function moveOwner(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((owner) => owner.id);
  const entities = await queries.ownedEntities(tx, from, maxMoved + 1);
  await lockUses(merge, entities);
  if (await queries.moveRoles(tx, into.id, from)) {
    change.audit(
      "OWNER_ROLES_CHANGED",
      `owner ${into.id} ${into.name}: has the roles of ${from.join(", ")}, merged`,
    );
  }
  const before = await queries.ownershipStates(tx, entities);
  const terms = await queries.moveOwnerships(tx, into.id, from);
  const after = await queries.ownershipStates(tx, entities);
  for (const entityId of entities) {
    const states = { before: before.get(entityId) ?? [], after: after.get(entityId) ?? [] };
    if (differ(states.before, states.after)) {
      change.record({ type: "OWNERSHIP_UPDATED", entityId, ...states });
    }
  }
  change.searchable(entities);
  change.searchable(terms, "term");
}
