import { entityClasses, type EntityStatus } from "#contract/entities.ts";
import { notFound } from "#kit/errors.ts";
import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";

/** What decides how an entity may be changed, read when its row was locked. */
export interface LockedEntity {
  id: number;
  hollow: boolean;
  is_group: boolean;
  /** Made by hand. */
  manual: boolean;
  status: EntityStatus;
  /** RFC 3339; null when no automatic change of the status is due. */
  switch_time: string | null;
}

const lock = statement<LockedEntity>("entity-lock")`
  SELECT id, hollow, ${entityClasses.DATA_ENTITY_GROUP} = ANY(class_ids) AS is_group,
         manually_created AS manual, status_name(status) AS status,
         iso(status_switch_at) AS switch_time
    FROM data_entity WHERE id = ANY($1::bigint[])
   ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks the entities in id order against other changes and against a purge, until the transaction
 * ends; returns those that exist, hollow ones too. Lock all that a change needs by one call.
 */
export async function lockEntities(
  tx: Transaction,
  ids: number[],
): Promise<Map<number, LockedEntity>> {
  const rows = await tx.query(lock, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks one entity. Throws 404 for an unknown and for a hollow one. */
export async function lockEntity(tx: Transaction, id: number): Promise<LockedEntity> {
  return requireEntity(await lockEntities(tx, [id]), id);
}

/** One of the locked entities. Throws 404 when it is unknown or hollow. */
export function requireEntity(locked: Map<number, LockedEntity>, id: number): LockedEntity {
  const entity = locked.get(id);
  if (entity && !entity.hollow) return entity;
  throw notFound("Data entity", id);
}

const lockCount = statement("count-alone")`
  SELECT pg_advisory_xact_lock(hashtextextended('counted ' || $1::text, 0))`;

/**
 * Locks the count of this name until the transaction ends, so that nobody else adds to it. To be called
 * before a count that decides whether something is added, and after all locks of rows: a count in a statement of its own
 * then sees what others have committed. What belongs to one entity does not need it: there `lockEntity` does the same.
 */
export async function countAlone(tx: Transaction, what: string): Promise<void> {
  await tx.query(lockCount, [what]);
}

// Concurrent writers insert shared rows in one order, to avoid deadlocks. An insert waits for rows
// that another transaction has just inserted, instead of failing on them.
const addHollow = plannedEachTime("ensure-entities")`
  INSERT INTO data_entity (catrn, hollow, excluded_from_search)
  SELECT catrn, true, true
    FROM (SELECT DISTINCT catrn COLLATE "C" AS catrn FROM unnest($1::text[]) AS w (catrn)) w
    WHERE NOT EXISTS (SELECT FROM data_entity e WHERE e.catrn = w.catrn)
    ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/**
 * Creates a hollow entity for every unknown CATRN; its first payload fills it later under the same
 * id. Call it in a short transaction: all batches compete for these rows.
 */
export async function ensureEntities(db: Queryable, catrns: string[]): Promise<void> {
  if (catrns.length > 0) await db.query(addHollow, [texts(catrns)]);
}
