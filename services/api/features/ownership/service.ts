import { z } from "@hono/zod-openapi";
import { NameInput, OptionalName } from "#contract/catalogue/inputs.ts";
import { maxOwners } from "#contract/ingestion/limits.ts";
import type { Permission } from "#contract/permissions.ts";
import type { ListQuery } from "#contract/http.ts";
import { badRequest, conflict, requireFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntities, requireEntity } from "#metadata/catalogue/entities.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { pageByName } from "#services/api/list-json.ts";
import * as queries from "#services/api/features/ownership/queries.ts";

export { maxOwners } from "#contract/ingestion/limits.ts";
export { ownershipStates } from "#services/api/features/ownership/queries.ts";

type Deps = Pick<Context, "db"> & { authorizer: Pick<Authorizer, "authorizeEntities"> };

/** One page of the titles in use whose name contains `query`; TitleList as JSON text. */
export function listTitles({ db }: Pick<Deps, "db">, query: ListQuery): Promise<string> {
  return pageByName(db, queries.titles, query);
}

/**
 * Gives an entity an owner by name; Ownership as JSON text. With `propagate`, the direct members that a
 * group shows get the same owner with the same title. Where only a source reported the ownership, it is set by a person from
 * then on. Throws 404, 400 (USR003) when somebody gave the entity that owner already, 400 for a group with too many
 * members and for an entity with too many owners, and 403 where the caller may not do the same to a member.
 */
export async function createOwnership(
  context: Deps,
  actor: Caller,
  entityId: number,
  form: OwnershipForm,
): Promise<string> {
  const reached = form.propagate
    ? await reach(context, actor, "DATA_ENTITY_OWNERSHIP_CREATE", entityId)
    : [];
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    const members = await storedOwnerships(change, entityId, reached);
    const of = {
      ownerId: (await ensureNamed(tx, "owner", form.owner_name))!,
      titleId: await ensureNamed(tx, "title", form.title_name ?? null),
    };
    await withActivity(change, [entityId, ...members], async () => {
      const added = await queries.addOwnerships(tx, [entityId], of);
      if (added.length === 0) {
        throw conflict(`${form.owner_name} owns data entity ${entityId} already`, [
          { field: "owner_name", message: "must not be the name of an owner of the entity" },
        ]);
      }
      return mergedMoves({ added }, await handOn(change, members, of));
    });
    return await queries.ownershipJson(tx, entityId, of.ownerId);
  });
}

/** An ownership of the entity that the path names. */
interface OwnershipRef {
  id: number;
  entityId: number;
}

/**
 * Sets the title of an ownership, unless the form leaves it out; Ownership as JSON text. With
 * `propagate`, the direct members that a group shows get the same owner with the same title. Throws 404
 * for an entity without such an ownership, 400 for one reported by its source and for a group with too many members,
 * and 403 as `createOwnership` does.
 */
export async function updateOwnership(
  context: Deps,
  actor: Caller,
  at: OwnershipRef,
  form: OwnershipUpdateForm,
): Promise<string> {
  const reached = form.propagate
    ? await reach(context, actor, "DATA_ENTITY_OWNERSHIP_UPDATE", at.entityId)
    : [];
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    const members = await storedOwnerships(change, at.entityId, reached);
    const now = await lockOwnership(change, at);
    const titleId = form.title_name === undefined
      ? now.titleId
      : await ensureNamed(tx, "title", form.title_name);
    const of = { ...now, titleId };
    await withActivity(change, [at.entityId, ...members], async () => {
      const retitled = await queries.setTitles(tx, [at.entityId], of);
      return mergedMoves({ retitled }, await handOn(change, members, of));
    });
    return await queries.ownershipJson(tx, at.entityId, of.ownerId);
  });
}

/**
 * Takes an owner from an entity; with `propagate`, also from the direct members that a group shows.
 * Throws 404 for an entity without such an ownership, 400 for one reported by its source and for a group with too many
 * members, and 403 as `createOwnership` does.
 */
export async function deleteOwnership(
  context: Deps,
  actor: Caller,
  at: OwnershipRef,
  propagate: boolean,
): Promise<void> {
  const reached = propagate
    ? await reach(context, actor, "DATA_ENTITY_OWNERSHIP_DELETE", at.entityId)
    : [];
  await changing(context, actor, async (change) => {
    const members = await storedOwnerships(change, at.entityId, reached);
    const { ownerId } = await lockOwnership(change, at);
    const ids = [at.entityId, ...members];
    await withActivity(change, ids, async () => ({
      removed: (await change.tx.query(queries.remove, [ids, ownerId])).map((row) => row.id),
    }));
  });
}

/**
 * The members of a group that inherit an ownership. A user who may change a group may put anything into it, so
 * the permission is checked on each of them: nobody gains through a group what he would not get without it.
 */
async function reach(
  { db, authorizer }: Deps,
  caller: Caller,
  permission: Permission,
  id: number,
): Promise<number[]> {
  const rows = await db.query(queries.members, [id, maxPropagated + 1]);
  const found = rows.map((row) => row.id);
  if (found.length > maxPropagated) {
    throw badRequest(
      `Group ${id} has more than ${maxPropagated} members, which an ownership can be handed on to`,
      [{ field: "propagate", message: `must be false for a group with that many members` }],
    );
  }
  await authorizer.authorizeEntities(caller, permission, found);
  return found;
}

/**
 * Locks the entity and the members that are reached; returns the members. They were read before, so one that joins
 * meanwhile is left out.
 */
async function storedOwnerships({ tx }: Change, id: number, reached: number[]): Promise<number[]> {
  const locked = await lockEntities(tx, [id, ...reached]);
  requireEntity(locked, id);
  return reached.filter((member) => member !== id && locked.get(member)?.hollow === false);
}

/** An ownership set by a person; throws 404 for none, and 400 for one reported by the source of the entity. */
async function lockOwnership({ tx }: Change, at: OwnershipRef): Promise<queries.OwnershipKey> {
  const found = requireFound(
    await tx.query(queries.byId, [at.id, at.entityId]),
    `Ownership of data entity ${at.entityId}`,
    at.id,
  );
  if (!found.external) return found;
  throw badRequest(
    `That ${found.owner} owns data entity ${at.entityId} comes from its source, so it cannot be changed here. ` +
      "Adding that owner to the entity makes it an ownership that can",
    [{ field: "ownership_id", message: "must be an ownership that people gave" }],
  );
}

/** Ids of entities that got the owner, got another title of it, or lost it. */
interface Moves {
  added?: number[];
  retitled?: number[];
  removed?: number[];
}

async function handOn({ tx }: Change, ids: number[], of: queries.OwnershipKey): Promise<Moves> {
  if (ids.length === 0) return {};
  const retitled = await queries.setTitles(tx, ids, of);
  return { retitled, added: await queries.addOwnerships(tx, ids, of) };
}

function mergedMoves(one: Moves, other: Moves): Moves {
  return {
    added: [...one.added ?? [], ...other.added ?? []],
    retitled: [...one.retitled ?? [], ...other.retitled ?? []],
  };
}

/** Runs `work` on locked entities; records an event for each entity that it changed. */
async function withActivity(
  change: Change,
  ids: number[],
  work: () => Promise<Moves>,
): Promise<void> {
  const before = await queries.ownershipStates(change.tx, ids);
  const { added = [], retitled = [], removed = [] } = await work();
  await refuseMore(change, added);
  const changed = [...added, ...retitled, ...removed];
  const after = await queries.ownershipStates(change.tx, changed);
  const event =
    (type: "OWNERSHIP_CREATED" | "OWNERSHIP_UPDATED" | "OWNERSHIP_DELETED") => (entityId: number) =>
      change.record({
        type,
        entityId,
        before: before.get(entityId) ?? [],
        after: after.get(entityId) ?? [],
      });
  added.forEach(event("OWNERSHIP_CREATED"));
  retitled.forEach(event("OWNERSHIP_UPDATED"));
  removed.forEach(event("OWNERSHIP_DELETED"));
  change.searchable(changed);
}

async function refuseMore({ tx }: Change, added: number[]): Promise<void> {
  if (added.length === 0) return;
  const [full] = await tx.query(queries.crowded, [added, maxOwners]);
  if (!full) return;
  throw badRequest(`Data entity ${full.id} has ${maxOwners} owners, the most there may be`, [
    { field: "owner_name", message: `must be among the ${maxOwners} owners of the entity already` },
  ]);
}

/** Maximum number of members that an ownership of a group is handed on to. */
export const maxPropagated = 100_000;

/** Hands the ownership on to the members too, if the entity is a group. */
const propagate = z.boolean().nullish();

/** Owner and title are known by name, and made if missing. */
export const OwnershipForm = z.object({
  owner_name: NameInput,
  title_name: OptionalName,
  propagate,
}).openapi("OwnershipFormData");
export type OwnershipForm = z.output<typeof OwnershipForm>;

/** `title_name` absent: as it is; null or blank: none. */
export const OwnershipUpdateForm = z.object({ title_name: OptionalName, propagate })
  .openapi("OwnershipUpdateFormData");
export type OwnershipUpdateForm = z.output<typeof OwnershipUpdateForm>;

/** Limits of ownerships. */
export const ownershipLimits: Limit[] = [
  limit("ownership", "owners of a data entity, or of a term", maxOwners),
  limit("ownership of groups", "members that receive it", maxPropagated),
];
