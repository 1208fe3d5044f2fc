import type { Queryable, Transaction } from "#metadata/database.ts";
import type { SearchState } from "#services/api/features/search/state.ts";

/** Sessions of other kinds of search live in the same table. */
const family = "catalogue";

/** Keeps a new session. */
// change-ok -- sessions are no part of the catalogue
export async function insertSession(db: Queryable, id: string, state: SearchState): Promise<void> {
  await db.query(
    "INSERT INTO search_session (id, family, state) VALUES ($1, $2, $3)",
    [id, family, JSON.stringify(state)],
    "search-session-insert",
  );
}

// A minute is fine enough for a time to live in days, and spares most reads the write.
const read = `
  WITH touched AS (
    UPDATE search_session SET last_accessed = now()
     WHERE id = $1 AND family = $2 AND last_accessed < now() - interval '1 minute'
       AND last_accessed > now() - make_interval(days => $3))
  SELECT state FROM search_session
   WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)`;

/** The state of a session, which counts as used; undefined when unknown or expired. */
// change-ok -- sessions are no part of the catalogue
export async function readSession(
  db: Queryable,
  id: string,
  days: number,
): Promise<SearchState | undefined> {
  const rows = await db.query<{ state: SearchState }>(read, [id, family, days], "search-session");
  return rows[0]?.state;
}

/** The state of a session, locked until the transaction ends. */
export async function lockSession(
  db: Queryable,
  id: string,
  days: number,
): Promise<SearchState | undefined> {
  const rows = await db.query<{ state: SearchState }>(
    `SELECT state FROM search_session
      WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)
      FOR UPDATE`,
    [id, family, days],
    "search-session-lock",
  );
  return rows[0]?.state;
}

export async function updateSession(tx: Transaction, id: string, state: SearchState) {
  await tx.query(
    "UPDATE search_session SET state = $2, last_accessed = now() WHERE id = $1",
    [id, JSON.stringify(state)],
    "search-session-update",
  );
}
