import {
  type ActivityEvent,
  type DataSourceState,
  recordActivity,
} from "#metadata/catalogue/activity.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { system } from "#contract/actor.ts";
import { classesOf } from "#contract/ingestion/schema.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import { run } from "../statement.ts";

const sources = statement("ingest-activity-sources")`
  SELECT id, catrn, name FROM data_source WHERE id = ANY($1::bigint[])`;

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
  const rows = await run<DataSourceState>(tx, sources, [bigints([...ids])]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return moved.map(({ id, formerSourceId }) => ({
    type: "DATA_SOURCE_UPDATED",
    entityId: id,
    actor: system,
    before: byId.get(formerSourceId!),
    after: byId.get(set.sourceId),
  }));
}

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
