import type { Database } from "#metadata/postgres/database.ts";

/** The database that records handled dead letters: the metadata store, whichever log is used. */
export type NotesDatabase = Database;

const handledIn = `
  SELECT "offset" FROM dead_letter_handled
  WHERE partition = $1 AND "offset" = ANY ($2::bigint[])`;

const insert = `
  INSERT INTO dead_letter_handled (partition, "offset", action)
  SELECT p, o, $3 FROM unnest($1::integer[], $2::bigint[]) AS u (p, o)
  ON CONFLICT DO NOTHING`;

const forget = "DELETE FROM dead_letter_handled WHERE handled_at < to_timestamp($1::float8 / 1000)";

/** Which of these offsets were replayed or dropped. */
export async function handledOf(
  db: NotesDatabase,
  partition: number,
  offsets: number[],
): Promise<Set<number>> {
  const rows = await db.query<{ offset: number }>(handledIn, [partition, offsets]);
  return new Set(rows.map((row) => row.offset));
}

/** Records how dead letters were handled; repeating it changes nothing. */
export async function markHandled(
  db: NotesDatabase,
  positions: { partition: number; offset: number }[],
  action: "replayed" | "dropped",
): Promise<void> {
  const partitions = positions.map((p) => p.partition);
  await db.query(insert, [partitions, positions.map((p) => p.offset), action]);
}

/**
 * Deletes notes older than `before`, milliseconds since the epoch. Called by housekeeping; a note must
 * outlive its letter, so `before` must be older than the retention of dead letters.
 */
export async function forgetHandled(db: NotesDatabase, before: number): Promise<void> {
  await db.query(forget, [before]);
}
