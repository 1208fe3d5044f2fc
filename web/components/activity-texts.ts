import type { Schema } from "#web/api/client.ts";

type EventType = Schema<"ActivityEventType">;

/** What somebody did to assets: `{who} changed the name of {what}`. */
const keys = {
  ALERT_HALT_CONFIG_UPDATED: "components.changeAlertHaltConfigUpdated",
  ALERT_STATUS_UPDATED: "components.changeAlertStatusUpdated",
  BUSINESS_NAME_UPDATED: "components.changeBusinessNameUpdated",
  CUSTOM_GROUP_CREATED: "components.changeCustomGroupCreated",
  CUSTOM_GROUP_UPDATED: "components.changeCustomGroupUpdated",
  CUSTOM_METADATA_CREATED: "components.changeCustomMetadataCreated",
  CUSTOM_METADATA_DELETED: "components.changeCustomMetadataDeleted",
  CUSTOM_METADATA_UPDATED: "components.changeCustomMetadataUpdated",
  DATASET_FIELD_DESCRIPTION_UPDATED: "components.changeDatasetFieldDescriptionUpdated",
  DATASET_FIELD_INTERNAL_NAME_UPDATED: "components.changeDatasetFieldInternalNameUpdated",
  DATASET_FIELD_TAGS_UPDATED: "components.changeDatasetFieldTagsUpdated",
  DATASET_FIELD_TERM_ASSIGNMENT_UPDATED: "components.changeDatasetFieldTermAssignmentUpdated",
  DATASET_FIELD_VALUES_UPDATED: "components.changeDatasetFieldValuesUpdated",
  DATA_ENTITY_CREATED: "components.changeDataEntityCreated",
  DATA_ENTITY_METADATA_UPDATED: "components.changeDataEntityMetadataUpdated",
  DATA_ENTITY_OVERVIEW_UPDATED: "components.changeDataEntityOverviewUpdated",
  DATA_ENTITY_RELATION_UPDATED: "components.changeDataEntityRelationUpdated",
  DATA_ENTITY_SCHEMA_UPDATED: "components.changeDataEntitySchemaUpdated",
  DATA_ENTITY_STATUS_UPDATED: "components.changeDataEntityStatusUpdated",
  DATA_SOURCE_UPDATED: "components.changeDataSourceUpdated",
  DESCRIPTION_UPDATED: "components.changeDescriptionUpdated",
  LOOKUP_TABLE_RENAMED: "components.changeLookupTableRenamed",
  OPEN_ALERT_RECEIVED: "components.changeOpenAlertReceived",
  OWNERSHIP_CREATED: "components.changeOwnershipCreated",
  OWNERSHIP_DELETED: "components.changeOwnershipDeleted",
  OWNERSHIP_UPDATED: "components.changeOwnershipUpdated",
  RESOLVED_ALERT_RECEIVED: "components.changeResolvedAlertReceived",
  TAG_ASSIGNMENT_UPDATED: "components.changeTagAssignmentUpdated",
  TERM_ASSIGNMENT_UPDATED: "components.changeTermAssignmentUpdated",
} as const satisfies Record<EventType, string>;

/** The message of what an event of this type did; its values are `who` and `what`. */
export function changeKey(type: EventType): (typeof keys)[EventType] {
  return keys[type];
}
