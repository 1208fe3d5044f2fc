import type { AlertMessage, NotifiedEntity } from "#contract/notifications.ts";

/** An entity as messages name one. */
export function notifiedEntity(with_: Partial<NotifiedEntity> = {}): NotifiedEntity {
  return {
    id: 17,
    name: "orders",
    data_source_name: "warehouse",
    namespace_name: "sales",
    type: "TABLE",
    owners: [{ owner_name: "ada", title_name: "Owner" }, { owner_name: "bob", title_name: null }],
    ...with_,
  };
}

/** A message about a new alert on one table. */
export function alertMessage(with_: Partial<AlertMessage> = {}): AlertMessage {
  return {
    alert_chunks: [
      { alert_id: 1, created_at: "2026-01-01T00:00:00.000Z", description: "rows: 0 of 100" },
    ],
    alert_type: "FAILED_DQ_TEST",
    event_type: "CREATED",
    event_at: "2026-01-01T00:00:00.000Z",
    updated_by: null,
    data_entity: notifiedEntity(),
    downstream: [],
    downstream_truncated: false,
    consequences: [],
    grouped_events: [],
    ...with_,
  };
}
