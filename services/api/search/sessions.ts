import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import type { SearchFamily, SearchState } from "#services/api/search/family.ts";
import { stateOf, stateText } from "#services/api/search/state.ts";

type StateRow = { state: Parameters<typeof stateOf>[0] };

// Nobody waits for the disk: a crash of PostgreSQL loses the sessions of the last moment at most, and a request for one of
// these is answered that there is none, as for one that has expired.
const insert = statement("search-session-insert")`
  WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO search_session (id, family, state)
  SELECT $1::uuid, $2::text, $3::jsonb FROM unflushed`;

/** Keeps a new session. */
export async function insertSession(
  db: Queryable,
  family: SearchFamily,
  id: string,
  state: SearchState,
): Promise<void> {
  await db.query(insert, [id, family.name, stateText(state)]);
}

// The time of use is stored to the minute, which is exact enough for a lifetime of days and saves
// most reads a write.
const read = statement<StateRow>("search-session")`
  WITH touched AS (
    UPDATE search_session SET last_accessed = now()
     WHERE id = $1 AND family = $2 AND last_accessed < now() - interval '1 minute'
       AND last_accessed > now() - make_interval(days => $3))
  SELECT state FROM search_session
   WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)`;

/** The state of a session, which is marked as used; undefined when unknown or expired. */
export function readSession(
  db: Queryable,
  family: SearchFamily,
  id: string,
  days: number,
): Promise<SearchState | undefined> {
  return stateBy(db, read, [id, family.name, days]);
}

const lock = statement<StateRow>("search-session-lock")`
  SELECT state FROM search_session
   WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)
     FOR UPDATE`;

/** The state of a session, locked until the transaction ends. */
export function lockSession(
  tx: Transaction,
  family: SearchFamily,
  id: string,
  days: number,
): Promise<SearchState | undefined> {
  return stateBy(tx, lock, [id, family.name, days]);
}

async function stateBy(
  db: Queryable,
  statement: Statement<StateRow>,
  values: unknown[],
): Promise<SearchState | undefined> {
  const [row] = await db.query(statement, values);
  return row && stateOf(row.state);
}

const update = statement("search-session-update")`
  UPDATE search_session SET state = $2, last_accessed = now() WHERE id = $1`;

export async function updateSession(
  tx: Transaction,
  id: string,
  state: SearchState,
): Promise<void> {
  await tx.query(update, [id, stateText(state)]);
}
