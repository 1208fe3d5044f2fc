import type { Database } from "#metadata/postgres/database.ts";

/** Where is noted what became of dead letters: the metadata store, whichever log is used. */
export type NotesDatabase = Database;

const handledIn = `
  SELECT "offset" FROM dead_letter_handled
  WHERE partition = $1 AND "offset" = ANY ($2::bigint[])`;

const insert = `
  INSERT INTO dead_letter_handled (partition, "offset", action)
  SELECT p, o, $3 FROM unnest($1::integer[], $2::bigint[]) AS u (p, o)
  ON CONFLICT DO NOTHING`;

const forget = "DELETE FROM dead_letter_handled WHERE handled_at < to_timestamp($1::float8 / 1000)";

/** Which of these offsets somebody replayed or dropped. */
export async function handledOf(
  db: NotesDatabase,
  partition: number,
  offsets: number[],
): Promise<Set<number>> {
  const rows = await db.query<{ offset: number }>(handledIn, [partition, offsets]);
  return new Set(rows.map((row) => row.offset));
}

/** Notes what became of dead letters; noting it again changes nothing. */
export async function markHandled(
  db: NotesDatabase,
  positions: { partition: number; offset: number }[],
  action: "replayed" | "dropped",
): Promise<void> {
  const partitions = positions.map((p) => p.partition);
  await db.query(insert, [partitions, positions.map((p) => p.offset), action]);
}

/**
 * Forgets notes older than `before`, milliseconds since the epoch. Housekeeping calls it; a note must
 * outlive the letter, so `before` lies further back than the retention of the dead letters.
 */
export async function forgetHandled(db: NotesDatabase, before: number): Promise<void> {
  await db.query(forget, [before]);
}
