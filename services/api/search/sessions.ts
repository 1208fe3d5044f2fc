import { badRequest, forbidden } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import type { SearchFamily, SearchState, SelectedFacet } from "#services/api/search/family.ts";
import { maxChosen, type SearchForm } from "#services/api/search/operations.ts";

/** Largest session, UTF-16 units of its JSON. */
export const maxSession = 128 * 1024;

/** The state of a search without any condition. */
export const emptyState: SearchState = { query: "", my_objects: false, filters: new Map() };

/**
 * The state after a form: replaces the query and `my_objects`, adds the values selected in the form,
 * and removes the deselected ones. Throws 400 when the result exceeds the limits of a session.
 */
export function merge(family: SearchFamily, before: SearchState, form: SearchForm): SearchState {
  const filters = new Map<string, SelectedFacet[]>();
  for (const facet of family.facets.keys()) {
    const chosen = new Map(chosenIn(before, facet).map((value) => [value.id, value]));
    for (const { entity_id: id, entity_name, selected } of filtersOf(form, facet)) {
      if (selected) chosen.set(id, { id, name: entity_name ?? null });
      else chosen.delete(id);
    }
    filters.set(facet, [...chosen.values()]);
  }
  const state = { query: form.query ?? "", my_objects: form.my_objects ?? false, filters };
  refuseExcess(state, form);
  return state;
}

function filtersOf({ filters }: SearchForm, facet: string) {
  return own(filters ?? {}, facet) ?? [];
}

function refuseExcess(state: SearchState, form: SearchForm): void {
  const facets = [...state.filters.keys()];
  const total = facets.reduce((sum, facet) => sum + chosenIn(state, facet).length, 0);
  const excess = total > maxChosen
    ? `a search holds at most ${maxChosen} values over all its filters`
    : stateText(state).length > maxSession
    ? `a search holds at most ${maxSession} characters, the names of its values included`
    : null;
  if (excess === null) return;
  const adding = facets.findLast((facet) => filtersOf(form, facet).some((v) => v.selected));
  const field = adding ? `filters.${adding}` : "filters";
  throw badRequest(`${field}: ${excess}`, [{ field, message: excess }]);
}

/** The selected values of a facet. */
export function chosenIn({ filters }: SearchState, facet: string): SelectedFacet[] {
  return filters.get(facet) ?? [];
}

/** The selected ids of a facet; a code too large for its column becomes one that no row has. */
export function idsOf(
  { facets }: Pick<SearchFamily, "facets">,
  state: SearchState,
  facet: string,
): number[] {
  const ids = chosenIn(state, facet).map((value) => value.id);
  return facets.get(facet)?.small ? ids.map((id) => Math.min(id, 32_767)) : ids;
}

/** The stored text of a state. */
function stateText(state: SearchState): string {
  return JSON.stringify({ ...state, filters: Object.fromEntries(state.filters) });
}

/** Parses a stored state, which may stem from a release with other facets. */
function stateOf(
  stored: Omit<SearchState, "filters"> & { filters: Record<string, SelectedFacet[]> },
): SearchState {
  return { ...stored, filters: new Map(Object.entries(stored.filters)) };
}

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
const insertStatement = statement("search-session-insert")`
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
  await db.query(insertStatement, [id, family.name, stateText(state), share, actor.name !== null]);
  await trimSessions(db, share);
}

// What another request removes at the same time is left to it.
const trimStatement = statement("search-session-trim")`
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
  await db.query(trimStatement, [share, maxOfCaller, maxBytesOfCaller]);
}

// The time of use is stored to the minute, which is exact enough for a lifetime of days and saves
// most reads a write.
const readStatement = statement<StateRow>("search-session")`
  WITH touched AS (
    UPDATE search_session SET last_accessed = now()
     WHERE id = $1 AND family = $2 AND last_accessed < now() - interval '1 minute'
       AND last_accessed > now() - make_interval(days => $3))
  SELECT state FROM search_session
   WHERE id = $1 AND family = $2 AND last_accessed > now() - make_interval(days => $3)`;

/** The state of a session, which is marked as used; undefined when unknown or expired. */
export async function readSession(
  db: Queryable,
  family: SearchFamily,
  id: string,
  days: number,
): Promise<SearchState | undefined> {
  const [row] = await db.query(readStatement, [id, family.name, days]);
  return row && stateOf(row.state);
}

const lockStatement = statement<StateRow>("search-session-lock")`
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
  const [row] = await tx.query(lockStatement, [id, family.name, days]);
  if (!row) return undefined;
  if (row.personal && row.share !== shareOf(actor)) {
    throw forbidden(`Search ${id} is somebody else's: start one of your own`);
  }
  return stateOf(row.state);
}

const updateStatement = statement("search-session-update")`
  UPDATE search_session SET state = $2::jsonb, bytes = octet_length($2::text), last_accessed = now() WHERE id = $1`;

export async function updateSession(
  tx: Transaction,
  id: string,
  state: SearchState,
): Promise<void> {
  await tx.query(updateStatement, [id, stateText(state)]);
}
