import { forbidden } from "#kit/errors.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import type { SearchFamily, SearchState } from "#services/api/search/family.ts";
import { stateOf, stateText } from "#services/api/search/state.ts";

type StateRow = {
  state: Parameters<typeof stateOf>[0];
  /** Of the locked session: whose it is, and whether nobody else may change it. */
  share?: string | null;
  personal?: boolean;
};

/** Sessions of one caller that are stored, and bytes of them together. */
export const maxOfCaller = 1_000;
export const maxBytesOfCaller = 20_000_000;

// Nobody waits for the disk: a crash of PostgreSQL loses the sessions of the last moment at most, and a request for one of
// these is answered that there is none, as for one that has expired.
const insert = statement("search-session-insert")`
  WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO search_session (id, family, state, share, personal, bytes)
  SELECT $1::uuid, $2::text, $3::jsonb, $4::text, $5::boolean, octet_length($3::text) FROM unflushed`;

/** Keeps a new session, of which it removes older ones of the same caller that are too many. */
export async function insertSession(
  db: Queryable,
  family: SearchFamily,
  id: string,
  state: SearchState,
  actor: Caller,
): Promise<void> {
  const share = shareOf(actor);
  await db.query(insert, [id, family.name, stateText(state), share, actor.name !== null]);
  await trimSessions(db, share);
}

// What another request removes at the same time is left to it.
const trim = statement("search-session-trim")`
  DELETE FROM search_session WHERE id IN (
    SELECT id FROM search_session
     WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
           FROM search_session WHERE share = $1
         WINDOW newest AS (ORDER BY last_accessed DESC, id DESC)) s
        WHERE place > $2 OR bytes > $3)
       FOR UPDATE SKIP LOCKED)`;

/** Removes the sessions of a caller that are too many, or too large together; those used longest ago go first. */
export async function trimSessions(db: Queryable, share: string): Promise<void> {
  await db.query(trim, [share, maxOfCaller, maxBytesOfCaller]);
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
  SELECT state, share, personal FROM search_session
   WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)
     FOR UPDATE`;

/**
 * The state of a session that a caller wants to change, locked until the transaction ends. Throws 403 when it is that of
 * somebody else: it may be read by anyone with its id, but changed only by its creator.
 */
export async function lockSession(
  tx: Transaction,
  family: SearchFamily,
  id: string,
  days: number,
  actor: Caller,
): Promise<SearchState | undefined> {
  const [row] = await tx.query(lock, [id, family.name, days]);
  if (!row) return undefined;
  if (row.personal && row.share !== shareOf(actor)) {
    throw forbidden(`Search ${id} is somebody else's: start one of your own`);
  }
  return stateOf(row.state);
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
  UPDATE search_session SET state = $2::jsonb, bytes = octet_length($2::text), last_accessed = now() WHERE id = $1`;

export async function updateSession(
  tx: Transaction,
  id: string,
  state: SearchState,
): Promise<void> {
  await tx.query(update, [id, stateText(state)]);
}
