import { Bot, User } from "lucide-react";
import { useState } from "react";
import { Time } from "#web/kit/time.tsx";
import { Event } from "#web/features/activity/event.tsx";
import { type EventGroup, whoOf } from "#web/features/activity/groups.ts";
import styles from "#web/features/activity/activity.module.css";
import { t } from "#web/messages/text.ts";
import type { Schema } from "#web/api/client.ts";

/** An event, or several that belong together as one line that opens. `entity`: whose page it is, if it is that of one. */
export function Group(
  { of, sources, entity }: {
    of: EventGroup;
    sources: ReadonlyMap<number, string>;
    entity: number | undefined;
  },
) {
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = of.events;
  if (!first) return null;
  if (others.length === 0) return <Event of={first} who={of.who} entity={entity} />;
  return (
    <li className={styles.event}>
      <span className={styles.who}>
        {first.system_event ? <Bot aria-hidden /> : <User aria-hidden />}
        <span className="truncate">{of.who}</span>
      </span>
      <details
        className={styles.group}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <strong>{textOf(of, entity !== undefined)}</strong>
        </summary>
        {isOpen && (
          <ol className={styles.feed}>
            {of.events.map((one) => (
              <Event key={one.id} of={one} who={whoOf(one, sources)} entity={entity} />
            ))}
          </ol>
        )}
      </details>
      <span className={styles.when}>
        <Time at={first.created_at} />
      </span>
    </li>
  );
}

/** Such as `Added 39 assets`; of one entity, how much was changed. */
function textOf({ events, entities, complete }: EventGroup, ofEntity: boolean): string {
  if (ofEntity) {
    const changes = { count: events.length };
    return complete ? t("activity.changesAtOnce", changes) : t("activity.atLeastChanges", changes);
  }
  const assets = { count: entities };
  const what = complete ? t("activity.assets", assets) : t("activity.atLeastAssets", assets);
  return t(groupKeys[events[0]!.event_type], { what });
}

/** What was done to several assets at once: `Changed the name of {what}`. */
const groupKeys = {
  ALERT_HALT_CONFIG_UPDATED: "activity.groupAlertHaltConfigUpdated",
  ALERT_STATUS_UPDATED: "activity.groupAlertStatusUpdated",
  BUSINESS_NAME_UPDATED: "activity.groupBusinessNameUpdated",
  CUSTOM_GROUP_CREATED: "activity.groupCustomGroupCreated",
  CUSTOM_GROUP_UPDATED: "activity.groupCustomGroupUpdated",
  CUSTOM_METADATA_CREATED: "activity.groupCustomMetadataCreated",
  CUSTOM_METADATA_DELETED: "activity.groupCustomMetadataDeleted",
  CUSTOM_METADATA_UPDATED: "activity.groupCustomMetadataUpdated",
  DATASET_FIELD_DESCRIPTION_UPDATED: "activity.groupDatasetFieldDescriptionUpdated",
  DATASET_FIELD_INTERNAL_NAME_UPDATED: "activity.groupDatasetFieldInternalNameUpdated",
  DATASET_FIELD_TAGS_UPDATED: "activity.groupDatasetFieldTagsUpdated",
  DATASET_FIELD_TERM_ASSIGNMENT_UPDATED: "activity.groupDatasetFieldTermAssignmentUpdated",
  DATASET_FIELD_VALUES_UPDATED: "activity.groupDatasetFieldValuesUpdated",
  DATA_ENTITY_CREATED: "activity.groupDataEntityCreated",
  DATA_ENTITY_METADATA_UPDATED: "activity.groupDataEntityMetadataUpdated",
  DATA_ENTITY_OVERVIEW_UPDATED: "activity.groupDataEntityOverviewUpdated",
  DATA_ENTITY_RELATION_UPDATED: "activity.groupDataEntityRelationUpdated",
  DATA_ENTITY_SCHEMA_UPDATED: "activity.groupDataEntitySchemaUpdated",
  DATA_ENTITY_STATUS_UPDATED: "activity.groupDataEntityStatusUpdated",
  DATA_SOURCE_UPDATED: "activity.groupDataSourceUpdated",
  DESCRIPTION_UPDATED: "activity.groupDescriptionUpdated",
  LOOKUP_TABLE_RENAMED: "activity.groupLookupTableRenamed",
  OPEN_ALERT_RECEIVED: "activity.groupOpenAlertReceived",
  OWNERSHIP_CREATED: "activity.groupOwnershipCreated",
  OWNERSHIP_DELETED: "activity.groupOwnershipDeleted",
  OWNERSHIP_UPDATED: "activity.groupOwnershipUpdated",
  RESOLVED_ALERT_RECEIVED: "activity.groupResolvedAlertReceived",
  TAG_ASSIGNMENT_UPDATED: "activity.groupTagAssignmentUpdated",
  TERM_ASSIGNMENT_UPDATED: "activity.groupTermAssignmentUpdated",
} as const satisfies Record<Schema<"ActivityEventType">, string>;
