import type { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import kafkajs, { type Kafka as KafkaClient, type KafkaConfig, type SASLOptions } from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import { AppError, engineFailure, PermanentError, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { clientLog } from "#eventlog/kafka/client-log.ts";

/** What the event log on Kafka works with; times in milliseconds. */
export interface KafkaLogOptions {
  /** `host:port` of some brokers. */
  brokers: string[];
  /** Topics and groups are called `<instance>.<name>`. */
  instance: string;
  /** Of topics that are created here. */
  replicationFactor: number;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** A consumer that sends no heartbeat for longer loses its partitions; milliseconds. */
  sessionMs: number;
  /** TLS; `ca` in PEM when the system does not know the brokers' authority. */
  ssl?: { ca?: string };
  sasl?: {
    mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
    username: string;
    password: string;
  };
}

/** Retries of a consumer: it resumes within two seconds of a broker's return. */
export const patient = { retries: 50, initialRetryTime: 200, maxRetryTime: 2_000 };
/** Retries of calls that a request waits for. */
export const brief = { retries: 3, initialRetryTime: 100, maxRetryTime: 500 };

/** Name of a topic on the wire. */
export const wireName = (instance: string, topic: string) => `${instance}.${topic}`;

/**
 * Name of a consumer group on the wire. It names the topic as well: Kafka spreads all topics of a group
 * over all of its members, so two consumers of one group must not read different topics.
 */
export const groupName = (instance: string, group: string, topic: string) =>
  `${instance}.${group}.${topic}`;

export function kafkaClient(options: KafkaLogOptions, retry = patient): KafkaClient {
  useFastGzip();
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

/** Level 1: on metadata in JSON nearly as small as the standard level, at a third of its time. */
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

/** The error of this project that a failure of the client stands for; errors of this project pass unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof AppError || error instanceof PermanentError) return error;
  const name = (error as { name?: unknown } | null)?.name;
  // The client throws a TypeError where it has no metadata, or no broker answered it.
  if (error instanceof TypeError || (typeof name === "string" && name.startsWith("KafkaJS"))) {
    return unavailable("The event log is not available", 5, engineFailure("Kafka", error));
  }
  return error;
}

/** The broker's name of a failure (`UNKNOWN_MEMBER_ID`), also when the client wrapped it. */
export function protocolType(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const type = (at as { type?: unknown }).type;
    if (typeof type === "string") return type;
  }
  return undefined;
}
