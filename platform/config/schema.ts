import { languages } from "#contract/languages.ts";
import { z } from "zod";
import { openlineageEvents } from "#contract/topics.ts";
import { attachment } from "#platform/config/attachments.ts";
import { auth, session } from "#platform/config/auth.ts";
import { backup } from "#platform/config/backup.ts";
import { collaboration } from "#platform/config/collaboration.ts";
import { kafka, neo4j, postgres, redis } from "#platform/config/engines.ts";
import { genai } from "#platform/config/genai.ts";
import { days, duration, someBytes, someTime } from "#platform/config/kinds.ts";
import { links } from "#platform/config/links.ts";
import { lookup } from "#platform/config/lookup.ts";
import { alerts, notifications } from "#platform/config/notifications.ts";
import { datahub } from "#platform/config/datahub.ts";
import { openlineage } from "#platform/config/openlineage.ts";
import { server } from "#platform/config/server.ts";
import { connections } from "#platform/config/connections.ts";
import { stale } from "#platform/config/stale.ts";
import { traces } from "#platform/config/traces.ts";

/** Every configuration key with its default and allowed values; they are defined nowhere else. */
export const Config = z.strictObject({
  instance: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/).default("tributary")
    .describe("Prefix of everything shared: topics, groups, cache keys, graph labels"),
  server: server.prefault({}),
  data: z.strictObject({
    dir: z.string().min(1).default("./data").describe("Directory of the embedded engines"),
  }).prefault({}),
  "event-log": z.strictObject({ kafka: kafka.prefault({}) }).prefault({}),
  graph: z.strictObject({ neo4j: neo4j.prefault({}) }).prefault({}),
  metadata: z.strictObject({
    postgres: postgres.prefault({}),
    lookup: lookup.prefault({}),
  }).prefault({}),
  cache: z.strictObject({ redis: redis.prefault({}) }).prefault({}),
  ingestion: z.strictObject({
    "ack-timeout": duration("10 s").describe(
      "How long a POST of entities waits for its outcome before it answers `queued`",
    ),
    "max-body-size": someBytes("20 MB").describe("Largest body of a batch"),
  }).prefault({}),
  lineage: z.strictObject({
    "max-nodes": z.int().min(1).max(1_000_000).default(20_000)
      .describe(
        "Maximum number of entities in one lineage response; larger ones are marked as truncated",
      ),
    timeout: someTime("10 s").describe(
      "Maximum duration of a traversal; levels completed by then are returned, marked as truncated",
    ),
    columns: z.strictObject({
      "from-sql": z.boolean().default(true).describe(
        "Whether column lineage is derived from the SQL of transformers that declare none. Must " +
          "have the same value in every `ingest-consumer` process",
      ),
    }).prefault({}),
  }).prefault({}),
  mcp: z.strictObject({
    enabled: z.boolean().default(true).describe(
      "Whether assistants may query the catalogue through the Model Context Protocol, at `/mcp`",
    ),
  }).prefault({}),
  alerts: alerts.prefault({}),
  notifications: notifications.prefault({}),
  genai: genai.prefault({}),
  datacollaboration: collaboration.prefault({}),
  traces: traces.prefault({}),
  openlineage: openlineage.prefault({}),
  datahub: datahub.prefault({}),
  connections: connections.prefault({}),
  auth: auth.prefault({}),
  session: session.prefault({}),
  catalog: z.strictObject({
    "platform-base-url": z.url({ protocol: /^https?$/ }).optional().describe(
      "Address at which people reach this catalogue; prefix of every link. Unset: this machine, " +
        "or `server.host` if it is a specific address, at `server.port`; set it if the notifier " +
        "runs in another process",
    ),
    language: z.enum(languages).default("en").describe(
      "Language of mails and chat messages, and of the web interface for browsers that accept none of its languages",
    ),
    "data-entity-stale-period": days.default(7).describe(
      "Number of days without a batch after which an entity is stale",
    ),
    links,
  }).prefault({}),
  attachment: attachment.prefault({}),
  backup: backup.prefault({}),
  housekeeping: z.strictObject({
    enabled: z.boolean().default(true).describe("Whether this process runs housekeeping"),
    stale: stale.prefault({}),
    ttl: z.strictObject({
      search_facets_days: days.default(30).describe("Search sessions, days after their last use"),
      data_entity_delete_days: days.default(30).describe(
        "Deleted entities with all that hangs on them, days after their deletion",
      ),
      applied_batches_days: days.min(31).default(35).describe(
        "Outcomes of ingested chunks, in days; a chunk that is repeated later is applied again, so " +
          "longer than the retention of the event log and its dead letters",
      ),
      lineage_outbox_days: days.default(7).describe(
        "Lineage changes to be projected, in days; a graph restored from an older copy is rebuilt",
      ),
      lineage_history_days: days.default(365).describe(
        "Edges no longer declared and times of deletion, days after they ended; lineage as of an " +
          "earlier time is lost",
      ),
      activity_days: days.default(1_095).describe("Events of the activity feed, in days"),
      resolved_alerts_days: days.default(30).describe(
        "Resolved alerts with what they say, days after their resolution",
      ),
      alert_events_days: days.min(8).default(90).describe(
        "Changes of alerts, in days; what the notifier has not announced by then is not announced",
      ),
      recently_viewed_days: days.default(90).describe(
        "What people have viewed, days after they did so last",
      ),
      recently_viewed_max_per_user: z.int().min(1).max(10_000).default(200).describe(
        "Recently viewed assets per user, at most",
      ),
      connection_runs_days: days.default(90).describe("Runs of connections, days after their end"),
      sessions_days: days.default(1).describe(
        "Sessions in PostgreSQL, days after they have ended",
      ),
      expired_tokens_days: days.default(30).describe(
        "Personal tokens, days after they expired; until then their names are taken",
      ),
      audit_days: days.default(365).describe("Audit events, in days"),
      messages_days: days.default(1_095).describe(
        "Discussions of entities, days after their last message",
      ),
      chat_events_days: days.default(30).describe(
        "Replies that could not be taken in from the chat provider, in days",
      ),
      deliveries_days: days.default(30).describe(
        "The delivery log: what was sent to whom, each attempt, days after its end",
      ),
    }).prefault({}),
  }).prefault({}),
}).superRefine(({ session, cache, openlineage, ...config }, context) => {
  const needs = (path: string[], key: string) =>
    context.addIssue({ code: "custom", path, message: `needs ${key}` });
  if (session.provider === "REDIS" && !cache.redis.url) {
    needs(["session", "provider"], "cache.redis.url");
  }
  const { brokers, topic } = openlineage.kafka;
  if (brokers && !config["event-log"].kafka.brokers) {
    needs(["openlineage", "kafka", "brokers"], "event-log.kafka.brokers");
  }
  if (brokers && topic === `${config.instance}.${openlineageEvents}`) {
    const message = "must be a topic of others: this one is where events are put";
    context.addIssue({ code: "custom", path: ["openlineage", "kafka", "topic"], message });
  }
});
export type Config = z.output<typeof Config>;
