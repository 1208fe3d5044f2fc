import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { datahubRoot } from "#platform/naming/datahub/catrns.ts";
import type { ChangeSet } from "../change-set.ts";
import { run } from "../statement.ts";

/**
 * Has mapped again what DataHub posted and another data source posts by now: the lineage that DataHub reported was that of
 * the entity and went with its former payload, so it is posted as a job.
 */
export async function markTakenOver(tx: Transaction, set: ChangeSet): Promise<void> {
  const taken = set.changes.filter(({ formerSourceId }) => formerSourceId !== null);
  if (taken.length === 0) return;
  await run(tx, mapAgain, [texts(taken.map(({ catrn }) => catrn)), set.sourceId, datahubRoot]);
}

/**
 * $1 CATRNs, $2 the data source that has them now, $3 what CATRNs of DataHub's data sources begin with: what was posted as
 * them is mapped again, unless that data source is DataHub's too. Locks in the order of the urns, as all others do.
 */
const mapAgain = statement("ingest-datahub-map-again")`
  WITH locked AS (
    SELECT d.key FROM dh_entity d
     WHERE d.posted <> '{}' AND d.posted && $1::text[]
       AND NOT EXISTS (SELECT FROM data_source s WHERE s.id = $2::bigint AND starts_with(s.catrn, $3))
     ORDER BY d.key FOR NO KEY UPDATE)
  UPDATE dh_entity SET dirty = dirty + 1 WHERE key IN (SELECT key FROM locked)`;
