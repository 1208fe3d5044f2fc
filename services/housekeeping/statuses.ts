import { system } from "#contract/actor.ts";
import { entityStatuses } from "#contract/entities.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { applyStatus, isTemporary, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/**
 * Sets entities to DELETED whose DRAFT or DEPRECATED period has ended (`status_switch_time <= now`),
 * as system events, at most `batch` of them. Returns how many were due.
 */
export async function switchDueStatuses(db: Database, now: Date, batch: number): Promise<number> {
  return await changing({ db }, system, async (change) => {
    const { tx } = change;
    const due = await dueEntities(tx, now, batch);
    if (due.length === 0) return 0;
    const locked = await lockStatuses(tx, due);
    const still = locked.filter((e) =>
      isTemporary(e.status) && e.switch_time !== null && new Date(e.switch_time) <= now
    );
    await applyStatus(change, still, { status: "DELETED", switchAt: null }, now);
    return due.length;
  });
}

const dueStatement = statement<{ id: number }>("status-due")`
  SELECT id FROM data_entity
   WHERE status_switch_at <= $1 AND NOT hollow AND status IN (${entityStatuses.DRAFT}, ${entityStatuses.DEPRECATED})
   ORDER BY status_switch_at, id LIMIT $2`;

/** Entities whose DRAFT or DEPRECATED period has ended at `now`, the longest overdue first. */
async function dueEntities(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query(dueStatement, [now.toISOString(), limit]);
  return rows.map((row) => row.id);
}
