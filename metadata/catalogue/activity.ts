import type { ActivityEventType } from "#contract/activity.ts";
import type { Actor } from "#contract/actor.ts";
import type { EntityClass, EntityStatus, EntityType } from "#contract/entities.ts";
import { noticeColumns, recordNoticesSql } from "#metadata/catalogue/changes.ts";
import { bigints, booleans, texts } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Classes and types are stored by name; the API adds their ids when it answers the feed. */
export interface TagState {
  id: number;
  name: string;
  important: boolean;
}
export interface TermState {
  id: number;
  name: string;
  namespace: string;
  is_description_link: boolean;
}
interface DataEntityState {
  id: number;
  catrn: string;
  description?: string | null;
  entity_classes: EntityClass[];
  type: EntityType | null;
  external_name: string | null;
}
export interface CustomMetadataState {
  id: number;
  name: string;
  type: string;
  value: string;
}
interface FieldInformationState {
  id: number;
  name: string;
  internal_name?: string | null;
  type: unknown;
  description?: string | null;
  tags?: TagState[];
}
export interface CustomGroupState {
  id: number;
  internal_name: string | null;
  entity_classes: EntityClass[];
  type: EntityType;
  namespace_name?: string | null;
  entities: {
    id: number;
    internal_name?: string | null;
    external_name?: string | null;
    entity_classes: EntityClass[];
  }[];
  /** Number of members; `entities` names at most 1,000, including those that were added or removed. */
  entities_total: number;
}
/** The data source that posts an entity. */
export interface DataSourceState {
  id: number;
  catrn: string;
  name: string;
}
interface AlertReceivedState {
  type: string;
  chunks: { triggered_at: string; description: string }[];
}

/** All members of a state (`ActivityState` of the published contract). Times are RFC 3339. */
export interface ActivityState {
  ownerships: { owner_name: string; title_name?: string | null }[];
  tags: TagState[];
  data_entity: DataEntityState;
  terms: TermState[];
  description: { description: string | null };
  business_name: { internal_name: string | null };
  status: { status: { status: EntityStatus; status_switch_time?: string } };
  custom_metadata: CustomMetadataState[];
  dataset_field_values: {
    id: number;
    name: string;
    type: unknown;
    enum_values: { id: number; name: string }[];
  };
  dataset_field_information: FieldInformationState;
  dataset_field_terms: { id: number; name: string; type: unknown; terms: TermState[] };
  custom_group: CustomGroupState;
  alert_halt_config: Record<string, string | null>;
  alert_status_updated: { type: string; status: string };
  open_alert_received: AlertReceivedState;
  resolved_alert_received: AlertReceivedState;
  lookup_table_name: { name: string };
  data_source: DataSourceState;
}

/** For each event type, the one member that its states carry. */
const stateMembers = {
  OWNERSHIP_CREATED: "ownerships",
  OWNERSHIP_UPDATED: "ownerships",
  OWNERSHIP_DELETED: "ownerships",
  TAG_ASSIGNMENT_UPDATED: "tags",
  DATA_ENTITY_CREATED: "data_entity",
  DATA_ENTITY_OVERVIEW_UPDATED: "data_entity",
  DATA_ENTITY_METADATA_UPDATED: "custom_metadata",
  DATA_ENTITY_SCHEMA_UPDATED: "data_entity",
  DATA_ENTITY_RELATION_UPDATED: "data_entity",
  TERM_ASSIGNMENT_UPDATED: "terms",
  DESCRIPTION_UPDATED: "description",
  BUSINESS_NAME_UPDATED: "business_name",
  DATA_ENTITY_STATUS_UPDATED: "status",
  CUSTOM_METADATA_CREATED: "custom_metadata",
  CUSTOM_METADATA_UPDATED: "custom_metadata",
  CUSTOM_METADATA_DELETED: "custom_metadata",
  DATASET_FIELD_VALUES_UPDATED: "dataset_field_values",
  DATASET_FIELD_DESCRIPTION_UPDATED: "dataset_field_information",
  DATASET_FIELD_INTERNAL_NAME_UPDATED: "dataset_field_information",
  DATASET_FIELD_TAGS_UPDATED: "dataset_field_information",
  DATASET_FIELD_TERM_ASSIGNMENT_UPDATED: "dataset_field_terms",
  CUSTOM_GROUP_CREATED: "custom_group",
  CUSTOM_GROUP_UPDATED: "custom_group",
  ALERT_HALT_CONFIG_UPDATED: "alert_halt_config",
  ALERT_STATUS_UPDATED: "alert_status_updated",
  OPEN_ALERT_RECEIVED: "open_alert_received",
  RESOLVED_ALERT_RECEIVED: "resolved_alert_received",
  LOOKUP_TABLE_RENAMED: "lookup_table_name",
  DATA_SOURCE_UPDATED: "data_source",
} as const satisfies Record<ActivityEventType, keyof ActivityState>;

type StateOf<T extends ActivityEventType> = ActivityState[(typeof stateMembers)[T]];

interface EventOf<T extends ActivityEventType> {
  type: T;
  /** Null for an event that concerns no entity. */
  entityId: number | null;
  actor: Actor;
  /** Absent when nothing existed before. */
  before?: StateOf<T>;
  /** Absent when nothing is left. */
  after?: StateOf<T>;
}

/** One event, with states typed by the event's type. */
export type ActivityEvent = { [T in ActivityEventType]: EventOf<T> }[ActivityEventType];

const insert = statement("record-activity")`
  WITH recorded AS (
    INSERT INTO activity (event_type, entity_id, created_by, created_by_provider, system_event,
                          old_state, new_state)
    SELECT t.event_type, t.entity_id, t.created_by, t.provider, t.system_event,
           t.old_state::jsonb, t.new_state::jsonb
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[],
             $7::text[])
        WITH ORDINALITY AS t (
          event_type, entity_id, created_by, provider, system_event, old_state, new_state, ordinal)
     ORDER BY t.ordinal)
  ${recordNoticesSql("activity", 8)}`;

/**
 * Writes events to the activity feed, in the transaction of the change that they describe, and notifies followers of
 * the catalogue. Uses one statement for all events; ids follow the given order.
 */
export async function recordActivity(tx: Transaction, events: ActivityEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(insert, [
    texts(events.map((e) => e.type)),
    bigints(events.map((e) => e.entityId)),
    texts(events.map((e) => e.actor.name)),
    texts(events.map((e) => e.actor.provider)),
    booleans(events.map((e) => e.actor.kind === "system")),
    texts(events.map((e) => stateText(e.type, e.before))),
    texts(events.map((e) => stateText(e.type, e.after))),
    ...noticeColumns(events.map((e) => ({ eventType: e.type, entityId: e.entityId }))),
  ]);
}

function stateText(type: ActivityEventType, state: unknown): string {
  return JSON.stringify(state === undefined ? {} : { [stateMembers[type]]: state });
}

const states = statement<{ terms: TermState[] }>("term-states-of-entity")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'namespace', n.name,
                    'is_description_link', l.mentioned) ORDER BY n.name, t.name), '[]') AS terms
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.entity_id = $1`;

/** The terms of an entity as the activity feed lists them. */
export async function termStates(tx: Transaction, entity: number): Promise<TermState[]> {
  return (await tx.query(states, [entity]))[0]!.terms;
}
