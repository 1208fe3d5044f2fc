import { z } from "@hono/zod-openapi";
import { activityEventTypes } from "#contract/activity.ts";
import { AlertStatus, AlertType, DataEntityAlertConfig } from "#contract/catalogue/alerts.ts";
import {
  asGiven,
  countsForUser,
  Long,
  MetadataFieldType,
  nullable,
  optional,
  pageOf,
} from "#contract/catalogue/common.ts";
import { DataSetFieldType } from "#contract/catalogue/dataset.ts";
import {
  DataEntityClass,
  DataEntityRef,
  DataEntityStatus,
  DataEntityType,
} from "#contract/catalogue/entity-ref.ts";
import { AssociatedOwner } from "#contract/catalogue/people.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const ActivityEventType = z.enum(activityEventTypes).openapi("ActivityEventType");

const text = optional(z.string());
const classes = optional(z.array(DataEntityClass));
const named = { id: optional(Id), name: text };

const OwnershipActivityState = z.object({ owner_name: text, title_name: text })
  .openapi("OwnershipActivityState");
const TagActivityState = z.object({ ...named, important: optional(z.boolean()) })
  .openapi("TagActivityState");
const DataEntityActivityState = z.object({
  id: optional(Id),
  catrn: text,
  description: text,
  entity_classes: classes,
  type: optional(DataEntityType),
  external_name: text,
}).openapi("DataEntityActivityState");
const TermActivityState = z.object({
  ...named,
  namespace: text,
  is_description_link: optional(z.boolean()),
}).openapi("TermActivityState");
const DescriptionActivityState = z.object({ description: text })
  .openapi("DescriptionActivityState");
const BusinessNameActivityState = z.object({ internal_name: text })
  .openapi("BusinessNameActivityState");
const DataEntityStatusActivityState = z.object({ status: optional(DataEntityStatus) })
  .openapi("DataEntityStatusActivityState");
const CustomMetadataActivityState = z.object({
  ...named,
  type: optional(MetadataFieldType),
  value: text,
}).openapi("CustomMetadataActivityState");

const fieldType = optional(DataSetFieldType);
const DatasetFieldEnumValuesActivityState = z.object(named)
  .openapi("DatasetFieldEnumValuesActivityState");
const DatasetFieldValuesActivityState = z.object({
  ...named,
  type: fieldType,
  enum_values: optional(z.array(DatasetFieldEnumValuesActivityState)),
}).openapi("DatasetFieldValuesActivityState");
const DatasetFieldInformationActivityState = z.object({
  ...named,
  internal_name: text,
  type: fieldType,
  description: text,
  tags: optional(z.array(TagActivityState)),
}).openapi("DatasetFieldInformationActivityState");
const DatasetFieldTermsActivityState = z.object({
  id: Id,
  name: z.string(),
  type: DataSetFieldType,
  terms: z.array(TermActivityState),
}).openapi("DatasetFieldTermsActivityState");

const CustomGroupEntityActivityState = z.object({
  id: optional(Id),
  internal_name: text,
  external_name: text,
  entity_classes: classes,
}).openapi("CustomGroupEntityActivityState");
const CustomGroupActivityState = z.object({
  id: optional(Id),
  internal_name: text,
  entity_classes: classes,
  type: optional(DataEntityType),
  namespace_name: text,
  // At most 1,000 of `entities_total`: first the added or removed ones, then some that are in both
  // states.
  entities: optional(z.array(CustomGroupEntityActivityState)),
  entities_total: optional(Long),
}).openapi("CustomGroupActivityState");

const AlertStatusUpdatedActivityState = z.object({
  type: optional(AlertType),
  status: optional(AlertStatus),
}).openapi("AlertStatusUpdatedActivityState");
const AlertChunkInfoActivityState = z.object({
  triggered_at: optional(Timestamp),
  description: text,
}).openapi("AlertChunkInfoActivityState");
const AlertReceivedActivityState = z.object({
  type: optional(AlertType),
  chunks: optional(z.array(AlertChunkInfoActivityState)),
}).openapi("AlertReceivedActivityState");
const LookupTableNameActivityState = z.object({ name: text })
  .openapi("LookupTableNameActivityState");
const DataSourceActivityState = z.object({ ...named, catrn: text })
  .openapi("DataSourceActivityState");

/** Holds only the member that belongs to the event's type; empty when nothing existed. */
export const ActivityState = asGiven(
  z.object({
    ownerships: optional(z.array(OwnershipActivityState)),
    tags: optional(z.array(TagActivityState)),
    data_entity: optional(DataEntityActivityState),
    terms: optional(z.array(TermActivityState)),
    description: optional(DescriptionActivityState),
    business_name: optional(BusinessNameActivityState),
    status: optional(DataEntityStatusActivityState),
    custom_metadata: optional(z.array(CustomMetadataActivityState)),
    dataset_field_values: optional(DatasetFieldValuesActivityState),
    dataset_field_information: optional(DatasetFieldInformationActivityState),
    dataset_field_terms: optional(DatasetFieldTermsActivityState),
    custom_group: optional(CustomGroupActivityState),
    alert_halt_config: optional(DataEntityAlertConfig),
    alert_status_updated: optional(AlertStatusUpdatedActivityState),
    open_alert_received: optional(AlertReceivedActivityState),
    resolved_alert_received: optional(AlertReceivedActivityState),
    lookup_table_name: optional(LookupTableNameActivityState),
    data_source: optional(DataSourceActivityState),
  }).openapi("ActivityState"),
);

/**
 * An event of the activity feed. `data_entity` is null when the event concerns no entity (an alert
 * without one); for an entity that has been purged since, only the id is known.
 */
export const Activity = z.object({
  id: Id,
  event_type: ActivityEventType,
  created_at: Timestamp,
  created_by: optional(AssociatedOwner),
  data_entity: optional(DataEntityRef),
  old_state: ActivityState,
  new_state: ActivityState,
  system_event: z.boolean(),
}).openapi("Activity");
export type Activity = z.output<typeof Activity>;

/**
 * Events of one type that belong together: by one user, or from one data source, with less than five minutes between
 * two. `complete` is false where older events may belong to it which were not looked at.
 */
export const ActivityGroup = z.object({
  event_type: ActivityEventType,
  first_at: Timestamp,
  last_at: Timestamp,
  created_by: optional(AssociatedOwner),
  system_event: z.boolean(),
  data_source: nullable(z.object({ id: Id, name: z.string() }).openapi("ActivityDataSource")),
  events: Long,
  /** How many different ones they are about. */
  entities: Long,
  /** The newest ones; at most three. */
  examples: z.array(DataEntityRef),
  complete: z.boolean(),
}).openapi("ActivityGroup");
export const ActivityGroupList = z.object({ items: z.array(ActivityGroup) })
  .openapi("ActivityGroupList");

export const ActivityCountInfo = z.object(countsForUser).openapi("ActivityCountInfo");
export const ActivityUserList = pageOf("ActivityUserList", AssociatedOwner);
