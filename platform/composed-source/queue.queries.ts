import { type Statement, statement } from "#metadata/postgres/statement.ts";

/** What every row has that is mapped. */
export interface ClaimedRow {
  key: string;
  state: string;
  /** How dirty it was when it was taken. */
  dirty: number;
  last_seen: number | null;
  posted_hash: string | null;
  posted_at: number | null;
  received_at: number;
}

/** Seconds for which a claimed row belongs to its claimer. */
export const claimSeconds = 20;

// Each takes rows that nobody else has: $1 now, $2 how many. Those that were taken by somebody who died follow
// once their claim is over.
const isFree = "(claimed_until IS NULL OR claimed_until < now())";

/** FROM and all that follows, of a statement that takes dirty or due rows: $1 now, $2 how many. */
export const takenFrom = (table: string, condition = "true") => `
  FROM ${table} WHERE ${isFree}
   AND (dirty > 0 OR due_at <= $1::bigint) AND ${condition}
 ORDER BY dirty > 0 DESC, key LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;

/** The columns of `ClaimedRow`. */
export const claimedColumns = "key, state, dirty, last_seen, posted_hash, posted_at, received_at";

/** The tables of one source: of what is mapped, and of what is no longer. */
interface QueueTables<T extends string> {
  /** What the names of its statements begin with. */
  prefix: string;
  tables: readonly T[];
  /** Table of what leaves: `catrn`, `received_at`, `successor`, `since`. */
  leaving: string;
  /** SQL that holds for an entity that leaves `l` and is to be retained all the same. */
  retained?: string;
  /** Further tables, with conditions, whose rows are work for a round. */
  further?: readonly string[];
}

/** What leaves, with its entity and the entity that has its place. */
export interface PendingRemoval {
  catrn: string;
  received_at: number;
  id: number | null;
  successor: number | null;
  /** Whether the successor's data source has a token or a collector, and so is written by nobody else. */
  guarded: boolean;
}

/** Maximum number of seconds for which what leaves waits for its successor to be in the catalogue. */
const successorSeconds = 60;

/** The statements with which the rows of one source are taken, posted and removed. */
export interface QueueStatements<T extends string> {
  tables: readonly T[];
  anyDue: Statement<{ due: boolean }>;
  waiting: Statement<{ table: T; rows: number }>;
  settle: ReadonlyMap<T, Statement>;
  claim: ReadonlyMap<T, Statement>;
  finish: ReadonlyMap<T, Statement>;
  leave: Statement;
  stay: Statement;
  pendingRemovals: Statement<PendingRemoval>;
  dropRuns: Statement;
  leavingForLong: Statement<{ now: number; waits: boolean }>;
}

/** Declares the statements of a source, once: at the top of a file. */
export function queueStatements<T extends string>(
  { prefix, tables, leaving, retained = "false", further }: QueueTables<T>,
): QueueStatements<T> {
  const forEach = (verb: string, text: (table: string) => string) =>
    new Map(
      tables.map((table) => [table, statement(`${prefix}-${verb}-${table}`)`${text(table)}`]),
    );
  return {
    tables,
    ...pollStatements({ prefix, tables, leaving, further }),
    settle: forEach("settle", settled),
    claim: forEach("claim", claimed),
    finish: forEach("finish", posted),
    ...removalStatements(prefix, leaving, retained),
  };
}

const dueIn = (table: string) => `
  (SELECT true FROM ${table} WHERE dirty > 0 AND ${isFree} ORDER BY key LIMIT 1),
  (SELECT true FROM ${table} WHERE due_at <= $1::bigint AND ${isFree} ORDER BY due_at LIMIT 1)`;

const countOf = (table: string) => `
  SELECT '${table}' AS table, count(*)::int AS rows FROM (SELECT FROM ${table} WHERE dirty > 0 LIMIT $1) t`;

/**
 * `anyDue`: $1 now: whether a round would find anything, in one statement that reads only indexes of what waits.
 * `waiting`: how many rows wait to be mapped, up to `$1` of each table.
 */
function pollStatements<T extends string>(
  { prefix, tables, leaving, further = [] }: QueueTables<T>,
) {
  const others = [leaving, ...further];
  const exists = others.map((table) => `(SELECT true FROM ${table} LIMIT 1)`).join(", ");
  return {
    anyDue: statement<{ due: boolean }>(`${prefix}-any-due`)`
  SELECT coalesce(${tables.map(dueIn).join(",")}, ${exists}, false) AS due`,
    waiting: statement<{ table: T; rows: number }>(`${prefix}-waiting`)`
  ${tables.map(countOf).join(" UNION ALL ")}`,
  };
}

// Nothing is to be posted of these: $1 keys, $2 how dirty they were, $3 when to look again. They are still locked.
const settled = (table: string) => `
  UPDATE ${table} t SET dirty = t.dirty - s.dirty, due_at = s.due_at, claimed_until = NULL
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (key, dirty, due_at)
   WHERE t.key = s.key`;

// These will be posted as received at $2; until they are, nobody knows what of them the log has.
const claimed = (table: string) => `
  UPDATE ${table} SET received_at = $2::bigint, posted_hash = NULL,
         claimed_until = now() + make_interval(secs => ${claimSeconds})
   WHERE key = ANY($1::text[])`;

// The log has these: $1 keys, $2 how dirty they were, $3 when to look again, $4 hashes, $5 as received at, $6 now.
// A row that was claimed again meanwhile belongs to the new claimer.
const posted = (table: string) => `
  UPDATE ${table} t SET dirty = t.dirty - s.dirty, due_at = s.due_at, claimed_until = NULL,
         posted_hash = s.hash, posted_at = $6::bigint
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS s (key, dirty, due_at, hash)
   WHERE t.key = s.key AND t.received_at = $5::bigint`;

/**
 * `leave`: $1 CATRNs, each once, $2 as received at, $3 under which CATRN they go on or null: entities and runs that the
 * source no longer reports. `stay`: $1 CATRNs that are posted again, or have left. `pendingRemovals`: $1 what the CATRNs of our data
 * sources begin with, $2 since when the last batch is no longer waited for, $3 limit, $4 seconds that the rest of a rename
 * is given: what leaves; entities with their ids as far as they are live, ours, and not retained. One whose last batch is
 * not applied yet has to wait, or that batch would restore it; one that goes on under another name, for its successor as
 * well. `dropRuns`: $1 CATRNs
 * of runs, $2 as received at: they are deleted, unless somebody posted them since. `leavingForLong`: $1 seconds: the
 * time of the database in milliseconds, and whether something leaves for longer than that.
 */
function removalStatements(prefix: string, leaving: string, retained: string) {
  return {
    leave: statement(`${prefix}-leave`)`
  INSERT INTO ${leaving} AS l (catrn, received_at, successor)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS g (catrn, received_at, successor) ORDER BY 1
  ON CONFLICT (catrn) DO UPDATE
     SET received_at = excluded.received_at, successor = excluded.successor, since = now()
   WHERE l.received_at < excluded.received_at`,
    stay: statement(`${prefix}-stay`)`DELETE FROM ${leaving} WHERE catrn = ANY($1::text[])`,
    pendingRemovals: statement<PendingRemoval>(`${prefix}-pending-removals`)`
  SELECT l.catrn, l.received_at, n.id AS successor,
         h.token_id IS NOT NULL OR h.collector_id IS NOT NULL AS guarded,
         CASE WHEN s.id IS NOT NULL AND NOT (${retained}) THEN e.id END AS id
    FROM ${leaving} l
    LEFT JOIN data_entity e ON e.catrn = l.catrn AND NOT e.hollow AND is_live(e.status)
    LEFT JOIN data_source s ON s.id = e.data_source_id AND starts_with(s.catrn, $1)
    LEFT JOIN task_run r ON r.catrn = l.catrn
    LEFT JOIN data_entity n ON n.catrn = l.successor AND NOT n.hollow AND is_live(n.status)
    LEFT JOIN data_source h ON h.id = n.data_source_id
   WHERE ((extract(epoch FROM coalesce(e.received_at, r.received_at)) * 1000)::bigint >= l.received_at
          AND (l.successor IS NULL
               OR (l.since <= now() - make_interval(secs => $4)
                   AND (n.id IS NOT NULL OR l.since <= now() - make_interval(secs => ${successorSeconds})))))
      OR l.since < $2
   ORDER BY l.since LIMIT $3 FOR UPDATE OF l SKIP LOCKED`,
    dropRuns: statement(`${prefix}-drop-runs`)`
  DELETE FROM task_run t USING unnest($1::text[], $2::bigint[]) AS l (catrn, received_at)
   WHERE t.catrn = l.catrn AND (extract(epoch FROM t.received_at) * 1000)::bigint <= l.received_at`,
    leavingForLong: statement<{ now: number; waits: boolean }>(`${prefix}-leaving-for-long`)`
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
         EXISTS (SELECT FROM ${leaving} WHERE since < now() - make_interval(secs => $1)) AS waits`,
  };
}
