import { entityTypes } from "#contract/entities.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { recordActivity } from "#metadata/activity.ts";
import type { Transaction } from "#metadata/database.ts";
import { retryingTransaction } from "#metadata/retrying.ts";
import type { Context } from "#platform/context.ts";
import type { GroupForm } from "#services/api/features/groups/schemas.ts";
import * as queries from "#services/api/features/groups/queries.ts";

export { children, domains, items } from "#services/api/features/groups/reading.ts";

type Tools = Pick<Context, "db" | "clock" | "config">;

/** Makes a group by hand, with a CATRN of its own; answers its reference as JSON text. */
export function createGroup(context: Tools, form: GroupForm, by: string | null): Promise<string> {
  const catrn = `//catalog/groups/${uuidv7(context.clock.now())}`;
  return retryingTransaction(context.db, async (tx) => {
    const members = unique(form.entities.map((entity) => entity.id));
    checkMembers(form, await queries.lockEntities(tx, members));
    const row = await rowOf(tx, form);
    const id = await queries.insertGroup(tx, catrn, row, new Date(context.clock.now()));
    await queries.addToGroup(tx, id, members);
    const after = await queries.groupState(tx, id);
    await recordActivity(tx, [
      { type: "CUSTOM_GROUP_CREATED", entityId: id, by, system: false, after },
    ]);
    await queries.refreshSearch(tx, [id]);
    const ref = await refOf(context, tx, id);
    if (members.length > 0) await queries.appendLineage(tx, [id, ...members]);
    return ref;
  });
}

/**
 * Makes a group by hand what the form says: its visible members by hand become exactly those named.
 * 404 for what is no group, 400 for a group that is ingested. Answers its reference as JSON text.
 */
export function updateGroup(
  context: Tools,
  id: number,
  form: GroupForm,
  by: string | null,
): Promise<string> {
  return retryingTransaction(context.db, async (tx) => {
    const members = unique(form.entities.map((entity) => entity.id));
    const locked = await queries.lockEntities(tx, unique([id, ...members]));
    requireManualGroup(locked, id);
    checkMembers(form, locked, id);
    const moved = await withActivity(tx, id, by, async () => {
      await queries.updateGroupRow(tx, id, await rowOf(tx, form), new Date(context.clock.now()));
      const removed = await queries.keepInGroup(tx, id, members);
      return [...removed, ...await queries.addToGroup(tx, id, members)];
    });
    await queries.refreshSearch(tx, [id]);
    return await finish(context, tx, id, moved);
  });
}

/**
 * Adds an entity to a group made by hand; answers the group's reference as JSON text. 404 for an
 * unknown entity or group, 400 for an ingested group, the group itself, or a member already.
 */
export function addMember(
  context: Tools,
  entityId: number,
  groupId: number,
  by: string | null,
): Promise<string> {
  return retryingTransaction(context.db, async (tx) => {
    const locked = await queries.lockEntities(tx, unique([entityId, groupId]));
    requireEntity(locked, entityId);
    requireManualGroup(locked, groupId);
    if (entityId === groupId) throw badRequest("A group cannot be its own member");
    const moved = await withActivity(tx, groupId, by, async () => {
      const added = await queries.addToGroup(tx, groupId, [entityId]);
      if (added.length > 0) return added;
      throw conflict(`Data entity ${entityId} is already a member of group ${groupId}`);
    });
    return await finish(context, tx, groupId, moved);
  });
}

/**
 * Takes an entity out of a group made by hand. 404 for an unknown entity or group and for what was
 * not put there by hand, 400 for an ingested group.
 */
export function removeMember(
  context: Tools,
  entityId: number,
  groupId: number,
  by: string | null,
): Promise<void> {
  return retryingTransaction(context.db, async (tx) => {
    const locked = await queries.lockEntities(tx, unique([entityId, groupId]));
    requireEntity(locked, entityId);
    requireManualGroup(locked, groupId);
    const moved = await withActivity(tx, groupId, by, async () => {
      if (await queries.removeFromGroup(tx, groupId, entityId)) return [entityId];
      throw notFound(`Member of group ${groupId} by hand`, entityId);
    });
    await queries.appendLineage(tx, [groupId, ...moved]);
  });
}

/** Runs a change of one group and records it, if the group is not as it was. */
async function withActivity(
  tx: Transaction,
  id: number,
  by: string | null,
  change: () => Promise<number[]>,
): Promise<number[]> {
  const before = await queries.groupState(tx, id);
  const moved = await change();
  const after = await queries.groupState(tx, id);
  if (moved.length > 0 || JSON.stringify(before) !== JSON.stringify(after)) {
    await recordActivity(tx, [
      { type: "CUSTOM_GROUP_UPDATED", entityId: id, by, system: false, before, after },
    ]);
  }
  return moved;
}

async function finish(context: Tools, tx: Transaction, id: number, moved: number[]) {
  const ref = await refOf(context, tx, id);
  if (moved.length > 0) await queries.appendLineage(tx, [id, ...moved]);
  return ref;
}

function refOf(context: Tools, tx: Transaction, id: number): Promise<string> {
  return queries.groupRef(tx, id, context.config.catalog["data-entity-stale-period"]);
}

async function rowOf(tx: Transaction, form: GroupForm): Promise<queries.GroupRow> {
  return {
    name: form.name,
    typeId: entityTypes[form.type.name].id,
    namespaceId: form.namespace_name ? await queries.namespaceId(tx, form.namespace_name) : null,
  };
}

type Locked = Map<number, queries.LockedEntity>;

function requireEntity(locked: Locked, id: number): void {
  if (locked.get(id)?.hollow !== false) throw notFound("Data entity", id);
}

function requireManualGroup(locked: Locked, id: number): void {
  const group = locked.get(id);
  if (!group || group.hollow || !group.is_group) throw notFound("Data entity group", id);
  if (!group.manual) {
    throw badRequest(`Group ${id} is ingested: only groups made by hand can be changed here`);
  }
}

/** 400 naming every member of the form that cannot be one. */
function checkMembers(form: GroupForm, locked: Locked, self?: number): void {
  const details = form.entities.flatMap((entity, at) => {
    const field = `entities[${at}].id`;
    if (entity.id === self) return [{ field, message: "a group cannot be its own member" }];
    if (locked.get(entity.id)?.hollow === false) return [];
    return [{ field, message: `there is no data entity ${entity.id}` }];
  });
  const first = details[0];
  if (first) {
    throw badRequest(`Invalid body: ${first.field}: ${first.message}`, details.slice(0, 50));
  }
}

function unique(ids: number[]): number[] {
  return [...new Set(ids)];
}
