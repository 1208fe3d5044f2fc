import { system } from "#contract/actor.ts";
import { classesOf } from "#contract/ingestion/schema.ts";
import {
  type ActivityEvent,
  type DataSourceState,
  recordActivity,
} from "#metadata/catalogue/activity.ts";
import { bigints, texts } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { datahubRoot } from "#platform/naming/datahub/names.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";

/** Records one event for each entity that is new to the catalogue or has another data source; other updates record none. */
export async function writeActivity(tx: Transaction, set: ChangeSet): Promise<void> {
  const events = set.changes.filter((change) => change.created).map(created);
  await recordActivity(tx, [...events, ...await sourceChanges(tx, set)]);
}

/** One event for each entity that another data source posts than before. */
async function sourceChanges(tx: Transaction, set: ChangeSet): Promise<ActivityEvent[]> {
  const moved = set.changes.filter(({ formerSourceId }) => formerSourceId !== null);
  if (moved.length === 0) return [];
  const ids = new Set([set.sourceId, ...moved.map(({ formerSourceId }) => formerSourceId!)]);
  const rows = await tx.query(sourceStates, [bigints([...ids])]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return moved.map(({ id, formerSourceId }) => ({
    type: "DATA_SOURCE_UPDATED",
    entityId: id,
    actor: system,
    before: byId.get(formerSourceId!),
    after: byId.get(set.sourceId),
  }));
}

const sourceStates = statement<DataSourceState>("ingest-activity-sources")`
  SELECT id, catrn, name FROM data_source WHERE id = ANY($1::bigint[])`;

function created({ id, catrn, item }: EntityChange): ActivityEvent {
  return {
    type: "DATA_ENTITY_CREATED",
    entityId: id,
    actor: system,
    after: {
      id,
      catrn,
      description: item.description ?? null,
      entity_classes: classesOf(item),
      type: item.type,
      external_name: item.name,
    },
  };
}

/**
 * Marks what DataHub posted and another data source posts by now, to be mapped again: the lineage that DataHub reported
 * was that of the entity and went with its former payload, so it is posted as a job.
 */
export async function markTakenOver(tx: Transaction, set: ChangeSet): Promise<void> {
  const taken = set.changes.filter(({ formerSourceId }) => formerSourceId !== null);
  if (taken.length === 0) return;
  await tx.query(mapAgain, [texts(taken.map(({ catrn }) => catrn)), set.sourceId, datahubRoot]);
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
