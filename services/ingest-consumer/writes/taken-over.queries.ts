import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 CATRNs, $2 the data source that has them now, $3 what CATRNs of DataHub's data sources begin with: what was posted as
 * them is mapped again, unless that data source is DataHub's too. Locks in the order of the urns, as all others do.
 */
export const mapAgain = statement("ingest-datahub-map-again")`
  WITH locked AS (
    SELECT d.key FROM dh_entity d
     WHERE d.posted <> '{}' AND d.posted && $1::text[]
       AND NOT EXISTS (SELECT FROM data_source s WHERE s.id = $2::bigint AND starts_with(s.catrn, $3))
     ORDER BY d.key FOR NO KEY UPDATE)
  UPDATE dh_entity SET dirty = dirty + 1 WHERE key IN (SELECT key FROM locked)`;
