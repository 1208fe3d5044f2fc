import { afterAll, beforeAll, expect, it } from "vitest";
import { httpLimits } from "#platform/http/limits.ts";
import { retained } from "#services/housekeeping/retention.queries.ts";
import { apiLimits } from "#services/api/limits.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

// Every row that a request of a user can create has a bound per caller. A new table gets its line here: what bounds its
// rows, by a row of docs/reference/limits.md, and what ends them, by a name of `retained` where they do not go with what they hang on.

/** Rows of changes: the bytes that a caller may write in a day bound them all, each change counting for 1 kB at least. */
const written = "bodies under /api: bytes of the changes of one caller in a day, of one process";

interface Bound {
  /** Entrance and what is bounded there, of a row of docs/reference/limits.md. */
  limit: string;
  /** What removes old rows. */
  retention?: string;
}

const ofUsers: Record<string, Bound> = {
  ...changed(
    "alert_halt_config, chat_channel, connection, data_source, collector, dataset_test_severity, enum_value, entity_mention",
    "entity_query_example, entity_tag, entity_term, field_mention, field_metadata_value, field_tag, field_term, group_member",
    "lookup_column, lookup_document, lookup_table, metadata_field, metadata_value, namespace, notification_channel, owner",
    "owner_association_request, owner_association_request_event, owner_role, ownership, policy, query_example",
    "query_example_document, role, role_policy, tag, term, term_document, term_link, term_mention, term_ownership",
    "term_query_example, term_tag, title, token, user_owner",
  ),
  connection_run: { limit: written, retention: "connection-runs" },
  attachment_file: {
    limit: "files of data entities: files that a caller has uploaded, MB of 1,000,000 bytes",
  },
  attachment_piece: { limit: "files of data entities: uploads of a caller that are not complete" },
  attachment_link: { limit: written },
  activity: { limit: written, retention: "stray-activity" },
  activity_other: { limit: written, retention: "stray-activity" },
  audit_event: { limit: written, retention: "audit" },
  change: { limit: written, retention: "changes" },
  favorite: { limit: "favorites: of one user" },
  message: { limit: written, retention: "discussions" },
  personal_token: { limit: "personal tokens: tokens of one user", retention: "expired-tokens" },
  recently_viewed: { limit: "recently viewed: assets of one user", retention: "recently-viewed" },
  search_session: { limit: "searches: sessions of one caller", retention: "search-sessions" },
  session: { limit: "sessions: of one user", retention: "sessions" },
  silence: { limit: written, retention: "silences" },
  lineage_outbox: { limit: written, retention: "lineage-outbox" },
};

function changed(...lines: string[]): Record<string, Bound> {
  const tables = lines.flatMap((line) => line.split(", "));
  return Object.fromEntries(tables.map((table) => [table, { limit: written }]));
}

/** Tables of which no request of a user creates a row, and why. */
const ofOthers: [reason: string, tables: string][] = [
  [
    "what connections have published and found: bounded by their sources",
    "connection_item, connection_statement, connection_usage_day, dataset_usage, entity_usage, rename_offer",
  ],
  [
    "figures of the last 25 hours, sampled by the minute and by the hour",
    "ops_sample, slow_statement",
  ],
  [
    "a row for each timeline of PostgreSQL, and for each partition of a consumer group",
    "log_position, server_history",
  ],
  ["one row for each person that a provider or the configuration knows", "account"],
  [
    "what collectors ingest: its own limits",
    "alert, alert_chunk, alert_event, applied_batch, column_edge, column_edge_history, data_entity, data_source_seen, " +
    "dataset_column, dataset_field, dataset_version, entity_class, entity_deletion, entity_tombstone, entity_type, " +
    "judged_run, lineage_edge, lineage_edge_history, lineage_history_begin, metric_family, metric_series, relationship, " +
    "relationship_field_pair, routed_alert_end, task_run, test_dataset, stale_source",
  ],
  [
    "what OpenLineage events bring: their own limits",
    "ol_alias_link, ol_dataset, ol_job, ol_leaving, ol_run, ol_run_io, openlineage_complaint",
  ],
  [
    "what collectors of DataHub bring: datahub.max-entities and their own limits",
    "dh_aspect, dh_entity, dh_entry, dh_follower, dh_leaving, dh_reference, dh_schema, dh_term_link",
  ],
  [
    "what spans bring: their own limits",
    "service_change, service_edge, service_edge_window, service_entity, service_publisher, service_quarantine, " +
    "service_version, span_checkpoint",
  ],
  [
    "derived from other rows, as many as these",
    "search_document, search_document_part, search_word, sql_reading",
  ],
  ["work to be done, which ends", "search_document_queue, search_refresh_queue, chat_event"],
  [
    "what the notifier sends of alerts",
    "alert_event_published, alert_feed, delivery, delivery_attempt, notification",
  ],
  [
    "the embedded event log, and what keeps processes apart",
    "dead_letter_handled, graph_verification, lease, log_claim, log_group, log_member, log_partition, log_record, " +
    "log_topic, process, projection_status, schema_function, schema_migration",
  ],
];

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

it("every table has a bound for each caller, or a reason why it needs none", async () => {
  const rows = await database.db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
        AND NOT (c.relispartition AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT')
      ORDER BY 1`,
  );
  const listed = [...Object.keys(ofUsers), ...ofOthers.flatMap(([, tables]) => tables.split(", "))];
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it("each bound is a limit that is documented, each retention one that housekeeping keeps", () => {
  const limits = [...apiLimits, ...httpLimits].map(({ entrance, bounds }) =>
    `${entrance}: ${bounds}`
  );
  const retentions = retained.map(({ name }) => name);
  for (const { limit, retention } of Object.values(ofUsers)) {
    expect(limits).toContain(limit);
    if (retention !== undefined) expect(retentions).toContain(retention);
  }
});
