import { type ActivityEvent, recordActivity } from "#metadata/catalogue/activity.ts";
import { system } from "#contract/actor.ts";
import { classesOf } from "#contract/ingestion/schema.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";

/** Records one event for each entity that is new to the catalogue; updates record none. */
export async function writeActivity(tx: Transaction, set: ChangeSet): Promise<void> {
  await recordActivity(tx, set.changes.filter((change) => change.created).map(created));
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
