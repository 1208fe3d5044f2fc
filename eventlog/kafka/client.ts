import type { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import kafkajs, { type Kafka as KafkaClient, type KafkaConfig, type SASLOptions } from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import { AppError, engineFailure, PermanentError, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { useIdleFetch, useQuietRequestQueue } from "#eventlog/kafka/client-patches.ts";

/** Options of the event log on Kafka; times in milliseconds. */
export interface KafkaLogOptions {
  /** `host:port` of at least one broker. */
  brokers: string[];
  /** Topics and groups are named `<instance>.<name>`. */
  instance: string;
  /** Replication factor of topics that are created here. */
  replicationFactor: number;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** What is stored with committed offsets, at most 1,000 characters; nothing when it returns undefined. */
  note?: () => string | undefined;
  /** Why no records may be consumed at the moment; consumers leave their groups until it returns undefined. */
  refusal?: () => string | undefined;
  /** A consumer without a heartbeat for this long loses its partitions; milliseconds. */
  sessionMs: number;
  /** Enables TLS; `ca` in PEM when the system does not trust the brokers' authority. */
  ssl?: { ca?: string };
  sasl?: {
    mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
    username: string;
    password: string;
  };
}

/** Retries of consumers, which resume within two seconds of a broker's return. */
export const retryForever = { retries: 50, initialRetryTime: 200, maxRetryTime: 2_000 };
/** Retries of calls that a request waits for. */
export const brief = { retries: 3, initialRetryTime: 100, maxRetryTime: 500 };

/** Name of a topic in Kafka. */
export const wireName = (instance: string, topic: string) => `${instance}.${topic}`;

/**
 * Name of a consumer group in Kafka. It contains the topic: Kafka spreads all topics of a group over all its
 * members, so two consumers of one group must not read different topics.
 */
export const groupName = (instance: string, group: string, topic: string) =>
  `${instance}.${group}.${topic}`;

export function kafkaClient(options: KafkaLogOptions, retry = retryForever): KafkaClient {
  useFastGzip();
  useQuietRequestQueue();
  useIdleFetch();
  const config: KafkaConfig = {
    clientId: options.instance,
    brokers: options.brokers,
    connectionTimeout: 2_000,
    authenticationTimeout: 5_000,
    requestTimeout: 10_000,
    retry,
    logCreator: () => clientLog(options.log, options.clock),
    logLevel: kafkajs.logLevel.WARN,
  };
  if (options.ssl) config.ssl = options.ssl.ca ? { ca: [options.ssl.ca] } : true;
  if (options.sasl) config.sasl = options.sasl as SASLOptions;
  return new kafkajs.Kafka(config);
}

/** Level 1 compresses our JSON metadata nearly as well as the default level, in a third of the time. */
function useFastGzip(): void {
  const compress = promisify(gzip) as (
    data: Uint8Array,
    options: { level: number },
  ) => Promise<Buffer>;
  const codec = {
    compress: ({ buffer }: { buffer: Uint8Array }) => compress(buffer, { level: 1 }),
    decompress: promisify(gunzip),
  };
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP] = () => codec;
}

/** Translates a failure of the client into an error of this project; our own errors pass unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof AppError || error instanceof PermanentError) return error;
  const name = (error as { name?: unknown } | null)?.name;
  // The client throws a TypeError when it has no metadata, or when no broker answered.
  if (error instanceof TypeError || (typeof name === "string" && name.startsWith("KafkaJS"))) {
    return unavailable("The event log is not available", 5, engineFailure("Kafka", error));
  }
  return error;
}

/** The error code of the broker (`UNKNOWN_MEMBER_ID`), also when the client wrapped the error. */
export function protocolType(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const type = (at as { type?: unknown }).type;
    if (typeof type === "string") return type;
  }
  return undefined;
}

/** A broker's answers that say its role has moved to another broker, or has not quite come to it yet. */
const moved = new Set([
  "LEADER_NOT_AVAILABLE",
  "NOT_LEADER_FOR_PARTITION",
  "REPLICA_NOT_AVAILABLE",
  "GROUP_COORDINATOR_NOT_AVAILABLE",
  "GROUP_LOAD_IN_PROGRESS",
  "NOT_COORDINATOR_FOR_GROUP",
  "NOT_CONTROLLER",
]);

/** Whether the client asked the wrong broker, because its metadata is old. */
export const isMoved = (error: unknown): boolean => moved.has(protocolType(error) ?? "");

/** Whether a broker does not know a topic, or not yet: it learns of a new one after the controller has created it. */
export const isUnknownTopic = (error: unknown): boolean =>
  protocolType(error) === "UNKNOWN_TOPIC_OR_PARTITION";

/** Whether the connection to a broker broke, or could not be made. */
export const isLost = (error: unknown): boolean => error instanceof kafkajs.KafkaJSConnectionError;

/** What kafkajs says, without a type, while a coordinator is being elected or does not know its groups yet. */
const passing = new Set([
  "Failed to find group coordinator",
  "This is not the correct coordinator for this group",
]);

/** Whether the error is temporary: kafkajs fails while a group has no coordinator yet. */
export function isPassing(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === "KafkaJSGroupCoordinatorNotFound" || passing.has(at.message)) return true;
  }
  return false;
}

/** Milliseconds within which the same message is logged only once. */
const quietMs = 30_000;
/** Most different messages that are remembered. */
const maxKnown = 200;

/**
 * Forwards the client's log entries. Each connection repeats its message at every retry, dozens of lines a
 * second while the brokers are away, so repetitions are only counted: the next line with that message says
 * how often.
 */
export function clientLog(log: Logger, clock: Clock): (entry: kafkajs.LogEntry) => void {
  const lastLogged = new Map<string, { at: number; unsaid: number }>();
  return ({ log: { message, error, broker, groupId } }) => {
    const logKey = [message, error, groupId].join("\n");
    const now = clock.now();
    const last = lastLogged.get(logKey);
    if (last && now - last.at < quietMs) {
      last.unsaid++;
      return;
    }
    if (lastLogged.size >= maxKnown) lastLogged.clear();
    lastLogged.set(logKey, { at: now, unsaid: 0 });
    const repeated = last?.unsaid || undefined;
    log.warn("Kafka client", {
      clientMessage: message,
      error,
      broker,
      groupId,
      repeated,
    });
  };
}
