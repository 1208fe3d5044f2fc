import { statement } from "#metadata/postgres/statement.ts";

const place = (catrn: string) => `regexp_replace(${catrn}, '/[^/]*$', '')`;
const lastName = (catrn: string) => `substring(${catrn} FROM '[^/]*$')`;

/**
 * $1 connection, $2 run: offers of renames. Several with the same columns tell nothing, and what nobody wrote about needs
 * no offer.
 */
export const offer = statement("collector-offer-renames")`
  WITH gone AS MATERIALIZED (
    SELECT i.catrn, i.shape, e.id
      FROM connection_item i JOIN data_entity e ON e.catrn = i.catrn AND NOT e.hollow AND is_live(e.status)
     WHERE i.connection_id = $1 AND i.run_id <> $2 AND i.shape IS NOT NULL),
  pairs AS (
    SELECT g.id, n.catrn, count(*) OVER (PARTITION BY g.id) AS of_old, count(*) OVER (PARTITION BY n.catrn) AS of_new
      FROM gone g JOIN connection_item n ON n.connection_id = $1 AND n.shape = g.shape
     WHERE n.run_id = $2 AND n.added_run_id = $2
       AND (${place("n.catrn")} = ${place("g.catrn")} OR ${lastName("n.catrn")} = ${
  lastName("g.catrn")
}))
  INSERT INTO rename_offer (connection_id, run_id, old_id, new_catrn, columns)
  SELECT $1, $2, id, catrn, (SELECT count(*) FROM latest_fields(ARRAY[id]))
    FROM pairs WHERE of_old = 1 AND of_new = 1 AND has_written(id) ORDER BY id
  ON CONFLICT (old_id, new_catrn) DO UPDATE
    SET run_id = excluded.run_id, found_at = now(), decision = NULL, decided_by = NULL, decided_at = NULL`;
