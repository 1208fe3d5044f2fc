import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, earlierIds, type EntityChange } from "../change-set.ts";
import { bigint, columns, run, text } from "../statement.ts";

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
  await run(tx, replace, [
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

/** $1 entities with earlier rows, $2 groups, $3 members, $4 origins as posted. */
const replace = statement("ingest-replace-group-members")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS w (group_id, member_id, origin)),
   gone AS (
     DELETE FROM group_member m
      WHERE (m.origin = 'LIST' AND m.group_id = ANY($1::bigint[])
          OR m.origin = 'PARENT' AND m.member_id = ANY($1::bigint[]))
        AND NOT EXISTS (SELECT FROM wanted w
          WHERE w.group_id = m.group_id AND w.member_id = m.member_id AND w.origin = m.origin))
   INSERT INTO group_member (group_id, member_id, origin)
   SELECT group_id, member_id, origin FROM wanted
   ON CONFLICT DO NOTHING`;
