import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 what the CATRNs of our data sources begin with, $2 since when the last batch is no longer waited for, $3 limit:
 * entities that leave, with their ids as far as they are live and ours. One whose last batch is not applied yet has
 * to wait, or that batch would restore it.
 */
export const leavers = statement<{ catrn: string; id: number | null }>("ol-leavers")`
  SELECT l.catrn, CASE WHEN s.id IS NOT NULL THEN e.id END AS id
    FROM ol_leaving l
    LEFT JOIN data_entity e ON e.catrn = l.catrn AND NOT e.hollow AND is_live(e.status)
    LEFT JOIN data_source s ON s.id = e.data_source_id AND starts_with(s.catrn, $1)
   WHERE (extract(epoch FROM e.received_at) * 1000)::bigint >= l.received_at OR l.since < $2
   ORDER BY l.since LIMIT $3 FOR UPDATE OF l SKIP LOCKED`;

export const forgetLeavers = statement("ol-forget-leavers")`
  DELETE FROM ol_leaving WHERE catrn = ANY($1::text[])`;
