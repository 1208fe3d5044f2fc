import { statement } from "#metadata/postgres/statement.ts";

/** Maximum number of seconds for which what leaves waits for its successor to be in the catalogue. */
const successorSeconds = 60;

export interface PendingRemoval {
  catrn: string;
  received_at: number;
  id: number | null;
  /** The entity that has its place. */
  successor: number | null;
}

/**
 * $1 what the CATRNs of our data sources begin with, $2 since when the last batch is no longer waited for, $3 limit,
 * $4 seconds that the rest of a rename is given: entities and runs that leave; entities with their ids as far as they
 * are live, ours, and no test that some run makes. One whose last batch is not applied yet has to wait, or that batch
 * would restore it; one that goes on under another name, for its successor as well.
 */
export const pendingRemovals = statement<PendingRemoval>("ol-leavers")`
  SELECT l.catrn, l.received_at, n.id AS successor, CASE WHEN s.id IS NOT NULL AND NOT EXISTS (
           SELECT FROM ol_run m WHERE m.tests <> '{}' AND m.tests @> ARRAY[l.catrn]) THEN e.id END AS id
    FROM ol_leaving l
    LEFT JOIN data_entity e ON e.catrn = l.catrn AND NOT e.hollow AND is_live(e.status)
    LEFT JOIN data_source s ON s.id = e.data_source_id AND starts_with(s.catrn, $1)
    LEFT JOIN task_run r ON r.catrn = l.catrn
    LEFT JOIN data_entity n ON n.catrn = l.successor AND NOT n.hollow AND is_live(n.status)
   WHERE ((extract(epoch FROM coalesce(e.received_at, r.received_at)) * 1000)::bigint >= l.received_at
          AND (l.successor IS NULL
               OR (l.since <= now() - make_interval(secs => $4)
                   AND (n.id IS NOT NULL OR l.since <= now() - make_interval(secs => ${successorSeconds})))))
      OR l.since < $2
   ORDER BY l.since LIMIT $3 FOR UPDATE OF l SKIP LOCKED`;

export const deleteRemovals = statement("ol-forget-leavers")`
  DELETE FROM ol_leaving WHERE catrn = ANY($1::text[])`;

/** $1 CATRNs of runs, $2 as received at: they go, unless somebody posted them since. */
export const dropRuns = statement("ol-drop-runs")`
  DELETE FROM task_run t USING unnest($1::text[], $2::bigint[]) AS l (catrn, received_at)
   WHERE t.catrn = l.catrn AND (extract(epoch FROM t.received_at) * 1000)::bigint <= l.received_at`;
