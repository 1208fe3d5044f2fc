import { type Limit, limit } from "#kit/limits.ts";
import { plannedEachTime, type Statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Config } from "#platform/config/schema.ts";
import { maxIntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";

type Key = keyof Config["housekeeping"]["ttl"];

/** A member of `housekeeping.ttl` that is a number of rows. */
type CountKey = Extract<Key, "recently_viewed_max_per_user">;

/** A member of `housekeeping.ttl`, in days. */
type RetentionKey = Exclude<Key, CountKey>;

/**
 * Rows that are retained for a time: those older than the key says are removed (those of exactly that
 * age stay). Of several keys the longest time counts; a key without a value keeps everything.
 */
export interface AgeRetention<S = Statement<{ count: number }>> {
  /** Label in metrics and logs. */
  name: string;
  retentionKey: RetentionKey | RetentionKey[];
  /** $1 the time before which rows are removed, $2 most rows at once; returns the number of rows. */
  sql: S;
  /** Computes $3 for statements that need it. */
  also?: (context: Pick<Context, "graph">) => Promise<number | null>;
}

/** Rows that are retained up to a number, whatever their age. */
export interface CountRetention<S = Statement<{ count: number }>> {
  name: string;
  max: number | CountKey;
  /** $1 how many are stored, $2 most rows at once. */
  sql: S;
}

/** Search sessions to keep. The number is limited because a single request creates one. */
const maxSessions = 100_000;

/** What housekeeping retains, whatever its age. */
export const housekeepingLimits: Limit[] = [
  limit("searches", "sessions stored", maxSessions, "the least recently used are removed"),
];

const counted = (change: string) =>
  `WITH gone AS (${change} RETURNING 1) SELECT count(*) AS count FROM gone`;

/** Removes the oldest rows by the time in a column; one that has got a later time meanwhile stays. */
const oldest = (table: string, at: string, { key = "id", where = "true" } = {}) =>
  counted(`
      DELETE FROM ${table} WHERE ${key} IN (
        SELECT ${key.replace(/[()]/g, "")} FROM ${table} WHERE ${where} AND ${at} < $1
         ORDER BY ${at} LIMIT $2)
         AND ${where} AND ${at} < $1`);

/** Purging history moves the earliest time for which lineage can be answered. */
const forgotten = (change: string) =>
  `WITH gone AS (${change} RETURNING 1),
   recorded AS (UPDATE lineage_history_begin SET at = $1 WHERE at < $1 AND EXISTS (SELECT FROM gone))
   SELECT count(*) AS count FROM gone`;

/** What lineage as of a past time is made of. */
const pastLineage: readonly AgeRetention<string>[] = [
  {
    name: "lineage-history",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM lineage_edge_history WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM lineage_edge_history
         WHERE until < $1 AND establisher_id > 0 ORDER BY until LIMIT $2))`),
  },
  {
    // Also removes the columns that nothing names any more.
    name: "column-history",
    retentionKey: "lineage_history_days",
    sql: "SELECT forget_column_history($1, $2) AS count",
  },
  {
    // By the end of the deletion; one without an end is retained until its entity is purged.
    name: "deletion-history",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM entity_deletion WHERE (entity_id, since) IN (
        SELECT d.entity_id, d.since FROM entity_deletion d
         WHERE d.until < $1 OR d.until IS NULL AND d.since < $1
               AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = d.entity_id)
         LIMIT $2)`),
  },
  {
    // What purged entities were called.
    name: "tombstones",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM entity_tombstone WHERE (entity_id, purged_at) IN (
        SELECT entity_id, purged_at FROM entity_tombstone
         WHERE purged_at < $1 ORDER BY purged_at LIMIT $2)`),
  },
];

/** Changes that are retained for clients who follow them, none for longer than an hour. */
export const maxChanges = 100_000;

/** $1 how many are stored, $2 most rows at once; returns the number of rows. */
const forgetChanges = "SELECT changes_forget($1, $2) AS count";

const texts: readonly (AgeRetention<string> | CountRetention<string>)[] = [
  {
    name: "search-sessions",
    retentionKey: "search_facets_days",
    sql: oldest("search_session", "last_accessed"),
  },
  {
    name: "surplus-searches",
    max: maxSessions,
    sql: counted(`
      DELETE FROM search_session WHERE id IN (
        SELECT id FROM search_session ORDER BY last_accessed DESC OFFSET $1 LIMIT $2)`),
  },
  { name: "changes", max: maxChanges, sql: forgetChanges },
  {
    // A writer deletes as many as it writes, except those locked by another writer.
    name: "openlineage-complaints",
    max: maxIntakeWarnings,
    sql: counted(`
      DELETE FROM openlineage_complaint WHERE id IN (
        SELECT id FROM openlineage_complaint ORDER BY last_at DESC, id OFFSET $1 LIMIT $2)`),
  },
  {
    name: "connection-runs",
    retentionKey: "connection_runs_days",
    sql: oldest("connection_run", "finished_at"),
  },
  {
    name: "sessions",
    retentionKey: "sessions_days",
    sql: oldest("session", "expires_at", { key: "id_digest" }),
  },
  {
    name: "recently-viewed",
    retentionKey: "recently_viewed_days",
    sql: oldest("recently_viewed", "last_viewed_at"),
  },
  {
    // Of each user; that of the request which adds one is done at once, so this follows a smaller number.
    name: "surplus-recently-viewed",
    max: "recently_viewed_max_per_user",
    sql: counted(`
      DELETE FROM recently_viewed WHERE id IN (
        SELECT old.id
          FROM (SELECT username, provider FROM recently_viewed
                 GROUP BY username, provider HAVING count(*) > $1) u
         CROSS JOIN LATERAL (
           SELECT v.id FROM recently_viewed v
            WHERE v.username = u.username AND v.provider = u.provider
            ORDER BY v.last_viewed_at DESC, v.id DESC OFFSET $1) old
         LIMIT $2)`),
  },
  {
    // Once the outcome is removed, the same part could be applied again.
    name: "applied-batches",
    retentionKey: "applied_batches_days",
    sql: oldest("applied_batch", "applied_at", { key: "(batch, part)" }),
  },
  {
    // Keeps the last row, and those that a projected graph has not read yet.
    name: "lineage-outbox",
    retentionKey: "lineage_outbox_days",
    also: reached,
    sql: counted(`
      DELETE FROM lineage_outbox WHERE position IN (
        SELECT position FROM lineage_outbox
         WHERE created_at < $1 AND position < lineage_head()
           AND ($3::bigint IS NULL OR position <= $3)
         ORDER BY position LIMIT $2)`),
  },
  ...pastLineage,
  {
    // Also removes their chunks.
    name: "resolved-alerts",
    retentionKey: "resolved_alerts_days",
    sql: oldest("alert", "status_updated_at", { where: "status <> 1" }),
  },
  {
    // Once they are removed, an alert that the router delivers so late stays open.
    name: "routed-alert-ends",
    retentionKey: "resolved_alerts_days",
    sql: oldest("routed_alert_end", "recorded_at", { key: "fingerprint" }),
  },
  {
    // A change that was not announced by then will not be announced.
    name: "alert-events",
    retentionKey: "alert_events_days",
    sql: oldest("alert_event", "recorded_at"),
  },
  {
    // Deliveries that are still pending, unless an attempt is running; this ends them.
    name: "overdue-deliveries",
    retentionKey: "deliveries_days",
    sql: counted(`
      UPDATE delivery SET state = 'failed', reason = 'not delivered in time', ended_at = now()
       WHERE state = 'pending' AND id IN (
         SELECT id FROM delivery
          WHERE state = 'pending' AND created_at < $1
            AND (claimed_until IS NULL OR claimed_until < now())
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`),
  },
  {
    // Also removes their attempts.
    name: "deliveries",
    retentionKey: "deliveries_days",
    sql: oldest("delivery", "ended_at"),
  },
  {
    // Texts of messages without remaining deliveries; that their changes were announced stays
    // known.
    name: "messages",
    retentionKey: "deliveries_days",
    sql: counted(`
      UPDATE notification SET message = NULL WHERE (event_id, kind) IN (
        SELECT event_id, kind FROM notification n
         WHERE created_at < $1 AND message IS NOT NULL
           AND NOT EXISTS (SELECT FROM delivery d WHERE (d.event_id, d.kind) = (n.event_id, n.kind))
         ORDER BY created_at LIMIT $2)`),
  },
  {
    // Kept for as long as a change may be read again, or it would be announced again.
    name: "known-changes",
    retentionKey: ["alert_events_days", "deliveries_days"],
    sql: counted(`
      DELETE FROM notification WHERE (event_id, kind) IN (
        SELECT event_id, kind FROM notification n
         WHERE created_at < $1 AND message IS NULL
           AND NOT EXISTS (SELECT FROM delivery d WHERE (d.event_id, d.kind) = (n.event_id, n.kind))
         ORDER BY created_at LIMIT $2)`),
  },
  {
    // A thread goes with its replies, once nothing was said in it for long; what waits to be sent stays.
    name: "discussions",
    retentionKey: "messages_days",
    sql: counted(`
      DELETE FROM message WHERE id IN (
        SELECT m.id FROM message m
         WHERE m.root_id IS NULL AND m.created_at < $1 AND m.state <> 'PENDING_SEND'
           AND NOT EXISTS (SELECT FROM message r WHERE r.root_id = m.id AND r.created_at >= $1)
         ORDER BY m.id LIMIT $2)`),
  },
  {
    name: "chat-events",
    retentionKey: "chat_events_days",
    sql: oldest("chat_event", "received_at", { where: "state = 'PROCESSING_FAILED'" }),
  },
  {
    name: "silences",
    retentionKey: "deliveries_days",
    sql: oldest("silence", "until"),
  },
  {
    // Those that never expire are retained until they are revoked.
    name: "expired-tokens",
    retentionKey: "expired_tokens_days",
    sql: oldest("personal_token", "expires_at"),
  },
  {
    name: "audit",
    retentionKey: "audit_days",
    sql: oldest("audit_event", "recorded_at"),
  },
  {
    // Rows of times that have no partition of their own.
    name: "stray-activity",
    retentionKey: "activity_days",
    sql: counted(`
      DELETE FROM activity_other WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM activity_other WHERE created_at < $1 LIMIT $2))`),
  },
];

/** Everything that grows without limit must be listed here, in `purge.ts` or in `jobs.ts`. */
export const retained: readonly (AgeRetention | CountRetention)[] = texts.map((row) => ({
  ...row,
  sql: plannedEachTime<{ count: number }>(`retained-${row.name}`)`${row.sql}`,
}));

/** The position of a projected graph, which only the graph knows for certain; null for other graphs. */
async function reached({ graph }: Pick<Context, "graph">): Promise<number | null> {
  return graph.projection === "projected" ? await graph.position(5_000) : null;
}
