import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds, type EntityChange } from "../change-set.ts";
import { bigint, columns, run, text } from "../statement.ts";
import * as sql from "./groups.queries.ts";

interface Membership {
  groupId: number;
  memberId: number;
  origin: "LIST" | "PARENT";
}

/** Replaces the members and the parent that the payload of a group gave; manual members stay. */
export async function writeGroups(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap((change) => memberships(change, set));
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await run(tx, sql.replace, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.groupId), bigint((w) => w.memberId), text((w) => w.origin)),
  ]);
}

function memberships({ id, item }: EntityChange, set: ChangeSet): Membership[] {
  const group = item.data_entity_group;
  if (!group) return [];
  const listed = group.entities_list.map((catrn): Membership => ({
    groupId: id,
    memberId: set.idOf(catrn),
    origin: "LIST",
  }));
  if (group.group_catrn === undefined) return listed;
  return [...listed, { groupId: set.idOf(group.group_catrn), memberId: id, origin: "PARENT" }];
}
