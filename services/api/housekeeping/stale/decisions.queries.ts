import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** What is decided of a source. */
export interface Decision {
  /** How many are on halt since an alert reported them; null: none. */
  held: number | null;
  /** How many may expire yet; null: nobody approved any. */
  approved: number | null;
  /** When somebody did, RFC 3339. */
  approvedAt: string | null;
}

const decision = statement<Decision>("stale-decision")`
  SELECT held, approved, iso(approved_at) AS "approvedAt" FROM stale_source WHERE data_source_id = $1`;

export async function decisionOf(db: Queryable, source: number): Promise<Decision> {
  const [found] = await db.query(decision, [source]);
  return found ?? { held: null, approved: null, approvedAt: null };
}

const recordHalt = statement("stale-hold")`
  INSERT INTO stale_source (data_source_id, held) VALUES ($1, $2)
  ON CONFLICT (data_source_id) DO UPDATE SET held = excluded.held`;

/** Records the number of entities on halt; null: none any more. */
export async function recordHalted(
  db: Queryable,
  source: number,
  halted: number | null,
): Promise<void> {
  await db.query(recordHalt, [source, halted]);
}

const approve = statement("stale-approve")`
  INSERT INTO stale_source (data_source_id, approved, approved_at)
  SELECT id, $2, $3 FROM data_source WHERE catrn = $1
  ON CONFLICT (data_source_id) DO UPDATE
    SET approved = excluded.approved, approved_at = excluded.approved_at
  RETURNING data_source_id`;

/** Approves that so many of a source expire. False for an unknown source. */
export async function noteApproved(
  db: Queryable,
  catrn: string,
  count: number,
  at: string,
): Promise<boolean> {
  return (await db.query(approve, [catrn, count, at])).length > 0;
}

const spend = statement("stale-spend")`
  UPDATE stale_source SET approved = greatest(approved - $2, 0) WHERE data_source_id = $1`;

/** Counts what has expired against what was approved, so that a sweep that was interrupted goes on. */
export async function spendApproval(db: Queryable, source: number, count: number): Promise<void> {
  await db.query(spend, [source, count]);
}

const clear = statement("stale-clear")`DELETE FROM stale_source WHERE data_source_id = $1`;

/** Forgets what was decided of a source. */
export async function clearDecision(db: Queryable, source: number): Promise<void> {
  await db.query(clear, [source]);
}
