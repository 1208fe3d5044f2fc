import { z } from "zod";
import { languages } from "#contract/languages.ts";
import { openlineageEvents } from "#contract/topics.ts";
import { auth, session } from "#platform/config/auth.ts";
import { kafka, lookup, neo4j, postgres, redis } from "#platform/config/engines.ts";
import { datahub, openlineage } from "#platform/config/integrations.ts";
import { days, demands, duration, list, someBytes, someTime } from "#platform/config/kinds.ts";
import { alerts, notifications } from "#platform/config/notifications.ts";
import { server } from "#platform/config/server.ts";
import { attachment, backup } from "#platform/config/storage.ts";
import { traces } from "#platform/config/traces.ts";

/** `genai`: the service that answers questions in natural language. */
const genai = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether questions are forwarded to the service; off: they are refused",
  ),
  url: z.url({ protocol: /^https?$/ }).optional().describe(
    "Base address of the service that answers questions; they are posted to `<url>/query_data`",
  ),
  request_timeout: z.int().min(0).max(1_440).default(0).describe(
    "Timeout of an answer in whole minutes, 1 to 1440; required when `genai.enabled` is on",
  ),
}).superRefine(({ enabled, url, request_timeout }, context) => {
  if (!enabled) return;
  const { demand, issue } = demands(context);
  demand(url, ["url"], "genai.enabled is on");
  if (request_timeout > 0) return;
  const problem =
    "must be 1 to 1440 minutes when genai.enabled is on: with 0 no question is answered";
  issue(["request_timeout"], problem);
});

/** A token travels in a header, so it is visible ASCII. */
const headerToken = z.string().regex(/^[\x21-\x7e]+$/, "must be letters, digits and signs");

/** `datacollaboration`: discussions of entities in the channels of a chat provider. */
const collaboration = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether people can discuss entities in channels of the chat provider; off: these operations return 404",
  ),
  "chat-oauth-token": headerToken.optional().describe(
    "Bot token of the app at the provider; required when collaboration is on",
  ),
  "signing-secret": z.string().min(1).optional().describe(
    "Signing secret of the app; events that it did not sign, or that are older than 5 " +
      "minutes, are refused. Unset: anybody who can reach `/api/chat/events` can forge events",
  ),
  "api-url": z.url({ protocol: /^https?$/ }).default("https://slack.com/api").describe(
    "Base address of the provider's Web API",
  ),
  "sending-messages-retry-count": z.int().min(0).max(1_000).default(3).describe(
    "Number of times a message that the provider did not accept is retried, one second apart",
  ),
}).superRefine((given, context) => {
  const { demand } = demands(context);
  if (given.enabled) demand(given["chat-oauth-token"], ["chat-oauth-token"], "enabled is true");
});

/** 32 bytes in Base64. */
const base64Key = z.string().refine(
  (text) => /^[A-Za-z0-9+/_-]{43}=?$/.test(text),
  "must be 32 bytes in Base64: openssl rand -base64 32",
);

/** `connections`: which sources they may reach, and how. */
const connections = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether connections run; off: the service `collector` does nothing",
  ),
  "secret-key": base64Key.optional().describe(
    "Key that encrypts the secrets of connections, 32 bytes in Base64, the same for `api` and `collector`; " +
      "unset: secrets can only be references such as `${env:SOURCE_SECRET_SHOP}`",
  ),
  "secret-dir": z.string().min(1).optional().describe(
    "Directory of the files that `${file:NAME}` names; unset: none",
  ),
  "artifact-dirs": list((entry) => entry.startsWith("/"), "must be absolute paths")
    .describe(
      "Folders from which connections of the service `collector` may read dbt artifacts and " +
        "data files, subfolders included, separated by commas. Empty: none",
    ),
  "allowed-hosts": list((entry) => /^[\p{L}\p{N}.*:/_-]+$/u.test(entry), "must be hosts")
    .describe(
      "Hosts that connections may reach, separated by commas: names, `*.example.com`, addresses " +
        "or networks (`10.0.0.0/8`). Empty: all hosts except this machine, which is allowed only " +
        "if `server.host` is a loopback address. Link-local and metadata addresses are never " +
        "allowed",
    ),
  concurrency: z.int().min(1).max(16).default(2).describe(
    "Maximum number of concurrent runs in one process",
  ),
  "max-run-time": duration("30 min")
    .refine((ms) => ms >= 1_000 && ms <= 86_400_000, "must be 1 s to 24 h")
    .describe("Maximum duration of a run"),
  "statement-timeout": duration("30 s")
    .refine((ms) => ms >= 100 && ms <= 600_000, "must be 100 ms to 10 min")
    .describe("Timeout of a query in a source"),
});

const link = z.strictObject({
  title: z.string().trim().min(1).max(200).describe(
    "Title of link number `{n}`, from 0",
  ),
  url: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" }).describe(
    "Address of the link",
  ),
});

const maxLinks = 100;

/** `catalog.links`: links to other places that the catalogue shows to everyone: a list, in this order. */
const links = z.array(link).max(maxLinks, `must be at most ${maxLinks}`).default([]);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const stalePolicy = z.strictObject({
  source: z.string().startsWith("//").max(1_000).describe(
    "CATRN of a data source, or a prefix of several up to a slash; the first policy that matches applies",
  ),
  after: duration("14 d").refine((ms) => ms >= 60 * minuteMs && ms <= 90 * dayMs, {
    error: "must be 1 h to 90 d",
  }).describe("Time after an entity was last seen when it expires"),
  act: z.enum(["edges", "delete"]).describe(
    "What expires: the edges that the entity declared, or the entity, which becomes DELETED",
  ),
});

const maxPolicies = 100;

/** `housekeeping.stale`: what becomes of entities that their collector no longer brings. */
const stale = z.strictObject({
  sources: z.array(stalePolicy).max(maxPolicies, `must be at most ${maxPolicies}`).default([]),
  fuse: z.number().min(0).max(1).default(0.2).describe(
    "Share of a source's live entities beyond which nothing expires without approval",
  ),
  "fuse-min": z.int().min(0).max(1_000_000).default(20).describe(
    "Number of entities of a source that may expire at once whatever their share",
  ),
  every: duration("1 h").refine((ms) => ms >= 10 * minuteMs && ms <= dayMs, {
    error: "must be 10 min to 1 d",
  }).describe("Time between two checks for expired entities"),
  "dry-run": z.boolean().default(false).describe(
    "Whether expiry only simulates: nothing expires, and `npm run stale -- list` shows what would",
  ),
});

/** `housekeeping.ttl`: how long what ages is retained. */
const retention = z.strictObject({
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
});

/**
 * Every configuration key with its default and allowed values. Larger sections stand above, under their keys, or in
 * other files of this folder.
 */
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
    ttl: retention.prefault({}),
  }).prefault({}),
}).superRefine(({ session, cache, openlineage, ...config }, context) => {
  const { issue } = demands(context);
  if (session.provider === "REDIS" && !cache.redis.url) {
    issue(["session", "provider"], "needs cache.redis.url");
  }
  const { brokers, topic } = openlineage.kafka;
  if (brokers && !config["event-log"].kafka.brokers) {
    issue(["openlineage", "kafka", "brokers"], "needs event-log.kafka.brokers");
  }
  if (brokers && topic === `${config.instance}.${openlineageEvents}`) {
    const problem = "must be a topic of others: this one is where events are put";
    issue(["openlineage", "kafka", "topic"], problem);
  }
});
export type Config = z.output<typeof Config>;
