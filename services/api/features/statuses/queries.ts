import { entityStatuses } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

// UNION drops duplicates, so the recursion ends even in a membership cycle.
const closure = statement<{ id: number }>("status-closure")`
  WITH RECURSIVE below (id) AS (
    SELECT $1::bigint
    UNION
    SELECT m.member_id FROM below b JOIN group_member m ON m.group_id = b.id
  ) SELECT id FROM below`;

/** The entity and all its direct and indirect members. */
export async function withMembers(db: Queryable, id: number): Promise<number[]> {
  const rows = await db.query(closure, [id]);
  return rows.map((row) => row.id);
}

const due = statement<{ id: number }>("status-due")`
  SELECT id FROM data_entity
   WHERE status_switch_at <= $1 AND NOT hollow AND status IN (${entityStatuses.DRAFT}, ${entityStatuses.DEPRECATED})
   ORDER BY status_switch_at, id LIMIT $2`;

/** Entities whose DRAFT or DEPRECATED period has ended at `now`, the longest overdue first. */
export async function dueEntities(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query(due, [now.toISOString(), limit]);
  return rows.map((row) => row.id);
}
