import { badRequest, forbidden } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { personOf } from "#services/api/access/callers/person.ts";
import {
  copyLinks,
  type Deps,
  differ,
  lockUses,
  maxMoved,
  type Merge,
  type MergeResult,
  mergeSpellings,
  redirect,
} from "#services/api/features/merging/merge.ts";
import { ownershipStates } from "#services/api/features/ownership/service.ts";

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
  const users = await change.tx.query(boundUsers, [all.map(({ id }) => id)]);
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
  const owned = await tx.query(ownedEntities, [from, maxMoved + 1]);
  const entities = owned.map(({ id }) => id);
  await lockUses(merge, entities);
  const gained = await tx.query(moveRoles, [into.id, from]);
  if (gained.length > 0) {
    change.audit(
      "OWNER_ROLES_CHANGED",
      `owner ${into.id} ${into.name}: has the roles of ${from.join(", ")}, merged`,
    );
  }
  const before = await ownershipStates(tx, entities);
  const terms = await tx.query(ownedTerms, [from]);
  for (const move of moves) await tx.query(move, [into.id, from]);
  const after = await ownershipStates(tx, entities);
  for (const entityId of entities) {
    const states = { before: before.get(entityId) ?? [], after: after.get(entityId) ?? [] };
    if (differ(states.before, states.after)) {
      change.record({ type: "OWNERSHIP_UPDATED", entityId, ...states });
    }
  }
  change.searchable(entities);
  change.searchable(terms.map(({ id }) => id), "term");
}

/** At most $2 entities that one of the owners $1 owns. */
const ownedEntities = statement<{ id: number }>("merge-owner-entities")`
  SELECT DISTINCT entity_id AS id FROM ownership WHERE owner_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** A user that is bound to an owner. */
interface BoundUser {
  owner: number;
  username: string;
  provider: string;
}

const boundUsers = statement<BoundUser>("merge-owner-users")`
  SELECT owner_id AS owner, username, provider FROM user_owner
   WHERE owner_id = ANY($1::bigint[]) ORDER BY owner_id FOR UPDATE`;

// Of two ownerships of one entity or term the one stays that a person gave, then the one of the owner that stays.
const thin = (table: string, of: string, first: string) =>
  statement(`merge-owner-thin-${table.replace("_", "-")}`)`
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY ${of} ORDER BY ${first} owner_id <> $1, id) AS nth
        FROM ${table} WHERE owner_id = $1 OR owner_id = ANY($2::bigint[])) x WHERE nth > 1)`;
const ownedTerms = statement<{ id: number }>("merge-owner-terms")`
  SELECT DISTINCT term_id AS id FROM term_ownership WHERE owner_id = ANY($1::bigint[])`;
/** Give the owner $1 all that the owners $2 own, their user and their requests. */
const moves = [
  thin("ownership", "entity_id", "external,"),
  thin("term_ownership", "term_id", ""),
  redirect("ownership", "owner_id"),
  redirect("term_ownership", "owner_id"),
  redirect("user_owner", "owner_id"),
  redirect("owner_association_request", "owner_id"),
  redirect("silence", "owner_id"),
];

const roles = copyLinks("owner_role", "owner_id", ["role_id"]);
/** Gives an owner the roles of others; a row for each that it had not. */
const moveRoles = {
  ...roles,
  text: `WITH made AS (${roles.text} RETURNING role_id) SELECT FROM made`,
};
