import type { Actor } from "#contract/actor.ts";
import { entityClasses, entityStatuses, entityTypes } from "#contract/entities.ts";
import { badRequest, conflict, invalidFields, notFound } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { CustomGroupState } from "#metadata/catalogue/activity.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { type LockedEntity, lockEntities, requireEntity } from "#metadata/catalogue/entities.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { type GroupForm, maxMembers } from "#services/api/features/groups/schemas.ts";
import { staleDays } from "#services/api/stale.ts";
export { children, domains, items } from "#services/api/features/groups/reading.ts";

/** Limits of manually created groups. */
export const groupLimits: Limit[] = [limit("groups created by users", "members", maxMembers)];

type Deps = Pick<Context, "db" | "clock" | "config">;

/** Creates a manual group with a generated CATRN; returns its reference as JSON text. */
export function createGroup(context: Deps, actor: Actor, form: GroupForm): Promise<string> {
  const catrn = `//catalog/groups/${uuidv7(context.clock.now())}`;
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const members = unique(form.entities.map((entity) => entity.id));
    checkMembers(form, await lockEntities(tx, members));
    const [made] = await tx.query(insert, [catrn, ...await valuesOf(context, tx, form)]);
    const { id } = made!;
    const added = await addToGroup(tx, id, members);
    const states = await memberStates(tx, id, { added, removed: [] });
    const after = { ...await groupFacts(tx, id), ...states.after };
    change.record({ type: "CUSTOM_GROUP_CREATED", entityId: id, after });
    change.searchable([id]);
    if (members.length > 0) change.moved([id, ...members]);
    return await refOf(context, tx, id);
  });
}

/**
 * Updates a manual group to match the form: its visible manual members become exactly those listed.
 * 404 if it is not a group, 400 for an ingested group. Returns its reference as JSON text.
 */
export function updateGroup(
  context: Deps,
  actor: Actor,
  id: number,
  form: GroupForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const members = unique(form.entities.map((entity) => entity.id));
    const locked = await lockEntities(tx, unique([id, ...members]));
    requireManualGroup(locked, id);
    checkMembers(form, locked, id);
    await withActivity(change, id, async () => {
      await tx.query(update, [id, ...await valuesOf(context, tx, form)]);
      const removed = (await tx.query(removeOthers, [id, members])).map((row) => row.id);
      return { removed, added: await addToGroup(tx, id, members) };
    });
    change.searchable([id]);
    return await refOf(context, tx, id);
  });
}

/**
 * Adds an entity to a manual group; returns the group's reference as JSON text. 404 for an unknown
 * entity or group, 400 for an ingested group, for the group itself, or for an existing member.
 */
export function addMember(
  context: Deps,
  actor: Actor,
  entityId: number,
  groupId: number,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const locked = await lockEntities(tx, unique([entityId, groupId]));
    requireEntity(locked, entityId);
    requireManualGroup(locked, groupId);
    if (entityId === groupId) throw badRequest("A group cannot be its own member");
    await withActivity(change, groupId, async () => {
      const added = await addToGroup(tx, groupId, [entityId]);
      if (added.length > 0) return { added, removed: [] };
      throw conflict(`Data entity ${entityId} is already a member of group ${groupId}`);
    });
    return await refOf(context, tx, groupId);
  });
}

/**
 * Removes an entity from a manual group. 404 for an unknown entity or group and for an entity that
 * is not a manual member, 400 for an ingested group.
 */
export function removeMember(
  context: Deps,
  actor: Actor,
  entityId: number,
  groupId: number,
): Promise<void> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const locked = await lockEntities(tx, unique([entityId, groupId]));
    requireEntity(locked, entityId);
    requireManualGroup(locked, groupId);
    await withActivity(change, groupId, async () => {
      const removed = await tx.query(remove, [groupId, entityId]);
      if (removed.length > 0) return { added: [], removed: [entityId] };
      throw notFound(`Member of group ${groupId} by hand`, entityId);
    });
  });
}

/** Runs `work` on a group; it returns the added and removed members. Records an event on any change. */
async function withActivity(
  change: Change,
  id: number,
  work: () => Promise<MemberChanges>,
): Promise<void> {
  const before = await groupFacts(change.tx, id);
  const moved = await work();
  const ids = [...moved.removed, ...moved.added];
  if (ids.length > 0) change.moved([id, ...ids]);
  await recordUpdate(change, id, before, moved);
}

/** Runs `work`, which changes no members, on locked groups; records an event for each that it changed. */
export async function recordingGroups(
  change: Change,
  ids: number[],
  work: () => Promise<void>,
): Promise<void> {
  const facts = [];
  for (const id of ids) facts.push({ id, before: await groupFacts(change.tx, id) });
  await work();
  for (const { id, before } of facts) {
    await recordUpdate(change, id, before, { added: [], removed: [] });
  }
}

/** Records an event if the group differs from `before`, or members were added or removed. */
async function recordUpdate(
  change: Change,
  id: number,
  before: GroupFacts,
  moved: MemberChanges,
): Promise<void> {
  const after = await groupFacts(change.tx, id);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (isSame && moved.added.length + moved.removed.length === 0) return;
  const members = await memberStates(change.tx, id, moved);
  change.record({
    type: "CUSTOM_GROUP_UPDATED",
    entityId: id,
    before: { ...before, ...members.before },
    after: { ...after, ...members.after },
  });
}

const asRef = statement<JsonRow>("group-ref")`
  SELECT json_entity_ref(e, $2)::text AS json FROM data_entity e WHERE e.id = $1`;

/** The group as `DataEntityRef` JSON text. */
async function refOf(context: Deps, tx: Transaction, id: number): Promise<string> {
  return (await tx.query(asRef, [id, staleDays(context)]))[0]!.json;
}

/** The columns of a group that its form sets, and the time. */
async function valuesOf(
  { clock }: Deps,
  tx: Transaction,
  { type, name, namespace_name }: GroupForm,
) {
  const namespaceId = await ensureNamed(tx, "namespace", namespace_name || null);
  return [entityTypes[type.name].id, name, namespaceId, new Date(clock.now()).toISOString()];
}

// The name goes to both columns: the external name remains when a user clears the internal one.
const insert = statement<{ id: number }>("group-insert")`
  INSERT INTO data_entity (catrn, type_id, class_ids, external_name, internal_name, namespace_id,
                           manually_created, created_at, updated_at)
  VALUES ($1, $2, '{${entityClasses.DATA_ENTITY_GROUP}}', $3, $3, $4, true, $5, $5) RETURNING id`;

const update = statement("group-update")`
  UPDATE data_entity
     SET type_id = $2, external_name = $3, internal_name = $3, namespace_id = $4, updated_at = $5
   WHERE id = $1`;

const addMembers = statement<{ id: number }>("group-add")`
  INSERT INTO group_member (group_id, member_id, origin)
  SELECT $1, wanted.id, 'MANUAL' FROM unnest($2::bigint[]) AS wanted (id)
   WHERE NOT EXISTS (
     SELECT FROM group_member m WHERE m.group_id = $1 AND m.member_id = wanted.id)
  ON CONFLICT DO NOTHING RETURNING member_id AS id`;

/** Adds manual members; returns those that were not in the group yet. */
async function addToGroup(tx: Transaction, groupId: number, members: number[]): Promise<number[]> {
  return (await tx.query(addMembers, [groupId, members])).map((row) => row.id);
}

// A form cannot list members that its author cannot see, so deleted and hollow ones stay.
const removeOthers = statement<{ id: number }>("group-keep")`
  DELETE FROM group_member m USING data_entity e
   WHERE m.group_id = $1 AND m.origin = 'MANUAL' AND m.member_id <> ALL($2::bigint[])
     AND e.id = m.member_id AND NOT e.hollow AND e.status <> ${entityStatuses.DELETED}
  RETURNING m.member_id AS id`;

const remove = statement("group-remove")`
  DELETE FROM group_member
   WHERE group_id = $1 AND member_id = $2 AND origin = 'MANUAL' RETURNING member_id`;

type LockedEntities = Map<number, LockedEntity>;

function requireManualGroup(locked: LockedEntities, id: number): void {
  const group = locked.get(id);
  if (!group || group.hollow || !group.is_group) throw notFound("Data entity group", id);
  if (!group.manual) {
    throw badRequest(`Group ${id} is ingested: only groups made by hand can be changed here`);
  }
}

/** Throws 400 with every listed member that is not allowed. */
function checkMembers(form: GroupForm, locked: LockedEntities, self?: number): void {
  const details = form.entities.flatMap((entity, at) => {
    const field = `entities[${at}].id`;
    if (entity.id === self) return [{ field, message: "a group cannot be its own member" }];
    if (locked.get(entity.id)?.hollow === false) return [];
    return [{ field, message: `there is no data entity ${entity.id}` }];
  });
  if (details.length > 0) throw invalidFields("body", details);
}

function unique(ids: number[]): number[] {
  return [...new Set(ids)];
}

/** A group without its members. */
type GroupFacts = Omit<CustomGroupState, "entities" | "entities_total">;

const factsStatement = statement<{ facts: GroupFacts }>("group-facts")`
  SELECT json_build_object(
           'id', g.id, 'internal_name', g.internal_name,
           'entity_classes', class_names(g.class_ids),
           'type', (SELECT t.name FROM entity_type t WHERE t.id = g.type_id),
           'namespace_name', (SELECT n.name FROM namespace n WHERE n.id = g.namespace_id)) AS facts
    FROM data_entity g WHERE g.id = $1`;

/** The group part of an activity state, without its members. */
async function groupFacts(tx: Transaction, id: number): Promise<GroupFacts> {
  return (await tx.query(factsStatement, [id]))[0]!.facts;
}

/** Members that were added and removed, by id. */
interface MemberChanges {
  added: number[];
  removed: number[];
}

/** The members of a group in one state. */
type GroupMembers = Pick<CustomGroupState, "entities" | "entities_total">;

const membersJson = (ids: string) => `
  (SELECT coalesce(json_agg(json_build_object(
            'id', e.id, 'internal_name', e.internal_name, 'external_name', e.external_name,
            'entity_classes', class_names(e.class_ids)) ORDER BY e.id), '[]')
     FROM data_entity e WHERE e.id IN (${ids}))`;

/** Maximum number of members that one activity state names. */
const membersInState = 1_000;

// Changed members come first; the same unchanged ones follow in both states, so the difference
// between the states is exactly the change.
const membersStatement = statement<{ before: GroupMembers; after: GroupMembers }>(
  "group-members-moved",
)`
  WITH member AS MATERIALIZED (SELECT DISTINCT member_id AS id FROM group_member WHERE group_id = $1),
  added AS MATERIALIZED (SELECT unnest($2::bigint[]) AS id),
  removed AS MATERIALIZED (SELECT unnest($3::bigint[]) AS id EXCEPT SELECT id FROM member),
  counted AS (
    SELECT (SELECT count(*) FROM member) AS members, (SELECT count(*) FROM added) AS added,
           (SELECT count(*) FROM removed) AS removed),
  others AS MATERIALIZED (
    SELECT id FROM (SELECT id FROM member EXCEPT SELECT id FROM added) m ORDER BY id
     LIMIT (SELECT greatest(${membersInState} - greatest(c.added, c.removed), 0) FROM counted c))
  SELECT json_build_object(
           'entities', ${
  membersJson(`SELECT id FROM others UNION ALL
             (SELECT id FROM removed ORDER BY id LIMIT ${membersInState})`)
},
           'entities_total', c.members - c.added + c.removed) AS before,
         json_build_object(
           'entities', ${
  membersJson(`SELECT id FROM others UNION ALL
             (SELECT id FROM added ORDER BY id LIMIT ${membersInState})`)
},
           'entities_total', c.members) AS after
    FROM counted c`;

/** Members before and after a change that was already made, at most `membersInState` in each. */
async function memberStates(tx: Transaction, id: number, { added, removed }: MemberChanges) {
  return (await tx.query(membersStatement, [id, added, removed]))[0]!;
}
