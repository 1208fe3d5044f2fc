import { entityClasses, entityStatuses } from "#contract/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** The columns of a group that its form sets. */
export interface GroupRow {
  name: string;
  typeId: number;
  namespaceId: number | null;
}

// The name goes to both columns: the external name remains when a user clears the internal one.
const insert = statement<{ id: number }>("group-insert")`
  INSERT INTO data_entity (catrn, type_id, class_ids, external_name, internal_name, namespace_id,
                           manually_created, created_at, updated_at)
  VALUES ($1, $2, '{${entityClasses.DATA_ENTITY_GROUP}}', $3, $3, $4, true, $5, $5) RETURNING id`;

export async function insertGroup(
  tx: Transaction,
  catrn: string,
  group: GroupRow,
  now: Date,
): Promise<number> {
  const rows = await tx.query(insert, [
    catrn,
    group.typeId,
    group.name,
    group.namespaceId,
    now.toISOString(),
  ]);
  return rows[0]!.id;
}

const update = statement("group-update")`
  UPDATE data_entity
     SET type_id = $2, external_name = $3, internal_name = $3, namespace_id = $4, updated_at = $5
   WHERE id = $1`;

export async function updateGroupRow(
  tx: Transaction,
  id: number,
  group: GroupRow,
  now: Date,
): Promise<void> {
  await tx.query(update, [id, group.typeId, group.name, group.namespaceId, now.toISOString()]);
}

const addMembers = statement<{ id: number }>("group-add")`
  INSERT INTO group_member (group_id, member_id, origin)
  SELECT $1, wanted.id, 'MANUAL' FROM unnest($2::bigint[]) AS wanted (id)
   WHERE NOT EXISTS (
     SELECT FROM group_member m WHERE m.group_id = $1 AND m.member_id = wanted.id)
  ON CONFLICT DO NOTHING RETURNING member_id AS id`;

/** Adds manual members; returns those that were not in the group yet. */
export async function addToGroup(
  tx: Transaction,
  groupId: number,
  members: number[],
): Promise<number[]> {
  const rows = await tx.query(addMembers, [groupId, members]);
  return rows.map((row) => row.id);
}

// A form cannot list members that its author cannot see, so deleted and hollow ones stay.
const removeOthers = statement<{ id: number }>("group-keep")`
  DELETE FROM group_member m USING data_entity e
   WHERE m.group_id = $1 AND m.origin = 'MANUAL' AND m.member_id <> ALL($2::bigint[])
     AND e.id = m.member_id AND NOT e.hollow AND e.status <> ${entityStatuses.DELETED}
  RETURNING m.member_id AS id`;

/** Removes the visible manual members that are not among `retained`; returns them. */
export async function keepInGroup(
  tx: Transaction,
  groupId: number,
  retained: number[],
): Promise<number[]> {
  const rows = await tx.query(removeOthers, [groupId, retained]);
  return rows.map((row) => row.id);
}

const remove = statement("group-remove")`
  DELETE FROM group_member
   WHERE group_id = $1 AND member_id = $2 AND origin = 'MANUAL' RETURNING member_id`;

/** Removes a manual member; returns whether there was one. */
export async function removeFromGroup(
  tx: Transaction,
  groupId: number,
  memberId: number,
): Promise<boolean> {
  return (await tx.query(remove, [groupId, memberId])).length > 0;
}
