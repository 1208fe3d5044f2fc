import type { EntityStatus } from "#contract/entities.ts";
import { entityStatuses } from "#contract/entities.ts";
import type { Queryable, Transaction } from "#metadata/database.ts";

/** An entity's status as it stood when its row was locked. */
export interface LockedStatus {
  id: number;
  status: EntityStatus;
  /** RFC 3339, or null when no change is due. */
  switch_time: string | null;
}

// UNION drops what was met before, so a membership loop ends by itself.
const closure = `
  WITH RECURSIVE below (id) AS (
    SELECT $1::bigint
    UNION
    SELECT m.member_id FROM below b JOIN group_member m ON m.group_id = b.id
  ) SELECT id FROM below`;

/** The entity and all its direct and indirect members. */
export async function withMembers(db: Queryable, id: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(closure, [id], "status-closure");
  return rows.map((row) => row.id);
}

const lock = `
  SELECT id, status_name(status) AS status, iso(status_switch_at) AS switch_time
    FROM data_entity WHERE id = ANY($1::bigint[]) AND NOT hollow
   ORDER BY id FOR NO KEY UPDATE`;

/** Locks the entities in id order; hollow and unknown ones are left out. */
export function lockStatuses(tx: Transaction, ids: number[]): Promise<LockedStatus[]> {
  return tx.query<Row<LockedStatus>>(lock, [ids], "status-lock");
}

type Row<T> = T & Record<string, unknown>;

const due = `
  SELECT id FROM data_entity
   WHERE status_switch_at <= $1 AND NOT hollow AND status IN (${entityStatuses.DRAFT}, ${entityStatuses.DEPRECATED})
   ORDER BY status_switch_at, id LIMIT $2`;

/** Entities whose DRAFT or DEPRECATED time has passed at `now`, longest due first. */
export async function dueEntities(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(due, [now.toISOString(), limit], "status-due");
  return rows.map((row) => row.id);
}

const set = `
  UPDATE data_entity
     SET status = $2, status_switch_at = $3, status_updated_at = $4, updated_at = $4
   WHERE id = ANY($1::bigint[])`;

/** Writes one status to all of `ids`, whose rows are locked. */
export async function setStatus(
  tx: Transaction,
  ids: number[],
  to: { status: EntityStatus; switchAt: Date | null },
  now: Date,
): Promise<void> {
  await tx.query(set, [
    ids,
    entityStatuses[to.status],
    to.switchAt?.toISOString() ?? null,
    now.toISOString(),
  ], "status-set");
}

/** Most entities in one statement that moves edges, so that none comes near its time limit. */
const chunk = 5_000;

/** Hides or shows the edges of `ids`; returns the entities whose edges changed. */
export async function setDeleted(
  tx: Transaction,
  ids: number[],
  deleted: boolean,
): Promise<number[]> {
  const moved: number[][] = [];
  for (let from = 0; from < ids.length; from += chunk) {
    const rows = await tx.query<{ ids: number[] }>(
      "SELECT lineage_set_deleted($1, $2) AS ids",
      [ids.slice(from, from + chunk), deleted],
      "status-set-deleted",
    );
    moved.push(rows[0]!.ids);
  }
  return moved.flat();
}

/** Tells whoever follows lineage that these entities' edges changed; the last statement. */
export async function appendLineage(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query("SELECT lineage_append($1)", [ids], "status-append-lineage");
}
