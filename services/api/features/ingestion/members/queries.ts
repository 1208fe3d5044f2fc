import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

const members = plannedEachTime<{ catrn: string; type_id: number }>("ingestion-members")`
  SELECT m.catrn, m.type_id
    FROM data_entity m
   WHERE m.id IN (SELECT gm.member_id FROM group_member gm JOIN data_entity g ON g.id = gm.group_id
                   WHERE g.catrn = $1 AND is_live(g.status))
     AND NOT m.hollow AND is_live(m.status) AND m.type_id IS NOT NULL
   ORDER BY m.catrn`;

/** Live, non-hollow members of a group with their types, by CATRN. */
export function readMembers(db: Queryable, group: string) {
  return db.query(members, [group]);
}
