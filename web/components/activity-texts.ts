import type { Schema } from "#web/api/client.ts";

type EventType = Schema<"ActivityEventType">;

/** What was done, before the name or the number of the assets that it was done to. */
const verbs: Record<EventType, string> = {
  ALERT_HALT_CONFIG_UPDATED: "changed which alerts are muted of",
  ALERT_STATUS_UPDATED: "changed the status of alerts of",
  BUSINESS_NAME_UPDATED: "changed the name of",
  CUSTOM_GROUP_CREATED: "created the group",
  CUSTOM_GROUP_UPDATED: "changed the group",
  CUSTOM_METADATA_CREATED: "added metadata to",
  CUSTOM_METADATA_DELETED: "removed metadata from",
  CUSTOM_METADATA_UPDATED: "changed metadata of",
  DATASET_FIELD_DESCRIPTION_UPDATED: "described columns of",
  DATASET_FIELD_INTERNAL_NAME_UPDATED: "changed the names of columns of",
  DATASET_FIELD_TAGS_UPDATED: "changed the tags of columns of",
  DATASET_FIELD_TERM_ASSIGNMENT_UPDATED: "changed the glossary terms of columns of",
  DATASET_FIELD_VALUES_UPDATED: "changed the allowed values of columns of",
  DATA_ENTITY_CREATED: "added",
  DATA_ENTITY_METADATA_UPDATED: "updated the metadata of",
  DATA_ENTITY_OVERVIEW_UPDATED: "updated",
  DATA_ENTITY_RELATION_UPDATED: "changed the relationships of",
  DATA_ENTITY_SCHEMA_UPDATED: "changed the schema of",
  DATA_ENTITY_STATUS_UPDATED: "changed the status of",
  DATA_SOURCE_UPDATED: "took over",
  DESCRIPTION_UPDATED: "changed the description of",
  LOOKUP_TABLE_RENAMED: "renamed the lookup table",
  OPEN_ALERT_RECEIVED: "raised alerts for",
  OWNERSHIP_CREATED: "added an owner to",
  OWNERSHIP_DELETED: "removed an owner from",
  OWNERSHIP_UPDATED: "changed the responsibility of an owner of",
  RESOLVED_ALERT_RECEIVED: "resolved alerts of",
  TAG_ASSIGNMENT_UPDATED: "changed the tags of",
  TERM_ASSIGNMENT_UPDATED: "changed the glossary terms of",
};

/** What an event of this type did, such as `added`; the assets follow. */
export function verbOf(type: EventType): string {
  return verbs[type];
}
