import type { DataTarget } from "#contract/traces.ts";
import type { Attributes, SpanModel } from "../otlp/decoding.ts";
import { clean, text } from "./attributes.ts";
import { addressOf } from "./calls.ts";

/** What a span does with messages; null: nothing, `irrelevant`: nothing that other spans do not report. */
type MessagingRole =
  | { role: "producer" | "consumer"; target: DataTarget | null }
  | "irrelevant"
  | null;

const producing = /^(publish|send|create|produce|enqueue|schedule)/i;
const settling = /^(settle|ack|nack|commit|complete|abandon|reject|delete)/i;

/**
 * What a span says of a topic or queue, by its kind and operation; null when it says nothing. A
 * producer without a destination is irrelevant, a consumer without one follows its link.
 */
export function messagingOf(span: SpanModel): MessagingRole {
  const { attributes, kind } = span;
  const given = text(attributes, "messaging.system") ??
    (attributes["messaging.kafka.topic"] === undefined ? null : "kafka");
  const system = given === null ? null : brokerSystem(given);
  const messageKind = kind === "producer" || kind === "consumer";
  if (system === null && !messageKind) return null;
  const role = roleOf(span);
  if (role === null) return "irrelevant";
  const destination = destinationOf(span);
  if (destination !== null) {
    const shared = sharedDestination({ system, destination, role, attributes });
    return { role, target: topicOf(attributes, system ?? "unknown", shared, role) };
  }
  if (kind === "server") return null;
  const follows = kind === "consumer" || span.links.length > 0;
  return role === "consumer" && follows ? { role, target: null } : "irrelevant";
}

/** Null of an acknowledgement and the like. */
function roleOf({ attributes, kind }: SpanModel): "producer" | "consumer" | null {
  const operation = text(
    attributes,
    "messaging.operation.type",
    "messaging.operation",
    "messaging.operation.name",
    "rpc.method",
  ) ?? "";
  if (settling.test(operation)) return null;
  if (kind === "producer" || kind === "consumer") return kind;
  // Without an operation it counts as reading.
  return producing.test(operation) ? "producer" : "consumer";
}

function topicOf(
  attributes: Attributes,
  system: string,
  target: string,
  role: "producer" | "consumer",
): DataTarget {
  const access = role === "producer" ? "write" : "read";
  return { kind: "topic", system, address: addressOf(attributes), database: null, target, access };
}

function destinationOf({ attributes }: SpanModel): string | null {
  if (isTemporary(attributes)) return "{temporary}";
  const name = text(
    attributes,
    "messaging.destination.template",
    "messaging.destination.name",
    "messaging.kafka.topic",
    "messaging.destination",
    "messaging.source.name",
    "messaging.destination_publish.name",
    "aws.sns.topic.arn",
  );
  if (name !== null) return generated.test(name) ? "{temporary}" : name;
  const queue = text(attributes, "aws.sqs.queue.url");
  return queue === null ? null : clean(queue.split("/").at(-1)!) || null;
}

/** Names that brokers make up for queues of one connection. */
const generated = /^(amq\.gen-|amq\.rabbitmq\.reply-to|_INBOX\.|temp-queue:\/\/)/;

const flags = [
  "messaging.destination.temporary",
  "messaging.destination.anonymous",
  "messaging.temp_destination",
] as const;

function isTemporary(attributes: SpanModel["attributes"]): boolean {
  return flags.some((name) => attributes[name] === true || attributes[name] === "true");
}

// Source: OpenTelemetry semantic conventions for messaging, "RabbitMQ" and "AWS SQS and SNS", and what SDKs sent before them.
/** Names of systems in other releases of the conventions and of instrumentations, in lower case. */
const systems = new Map([
  ["amazonsqs", "aws_sqs"],
  ["aws.sqs", "aws_sqs"],
  ["sqs", "aws_sqs"],
  ["amazonsns", "aws_sns"],
  ["aws.sns", "aws_sns"],
  ["sns", "aws_sns"],
  ["google_pubsub", "gcp_pubsub"],
  ["pubsub", "gcp_pubsub"],
  ["microsoft.servicebus", "servicebus"],
  ["microsoft.eventhub", "eventhubs"],
]);

/** The name of a messaging system in the current conventions. */
function brokerSystem(given: string): string {
  const system = given.toLowerCase();
  return systems.get(system) ?? system;
}

/** A destination as one span names it. */
interface GivenDestination {
  system: string | null;
  destination: string;
  role: "producer" | "consumer";
  attributes: Attributes;
}

/** The name of a destination that its producers and its consumers share. */
function sharedDestination(given: GivenDestination): string {
  if (given.system === "rabbitmq") return rabbitDestination(given);
  if (given.system === "aws_sqs" || given.system === "aws_sns") {
    // `arn:aws:sns:eu-west-1:111122223333:name` and `https://sqs.eu-west-1.amazonaws.com/111122223333/name`
    return given.destination.split(/[:/]/).at(-1) || given.destination;
  }
  return given.destination;
}

/** Names of the exchange that delivers to the queue of the routing key's name. */
const defaultExchange = /^(?:amq\.default|<default>)?:/;

/**
 * Producers know `exchange:routing key`, consumers `exchange:routing key:queue`. A name of two parts is left: a
 * queue that is called as its routing key is named once.
 */
function rabbitDestination({ destination, role, attributes }: GivenDestination): string {
  const name = destination.replace(defaultExchange, "");
  if (role === "producer" || name === "") return name || destination;
  const key = text(attributes, "messaging.rabbitmq.destination.routing_key");
  const [exchange, ...others] = name.split(":");
  if (key !== null && name.startsWith(`${exchange}:${key}:`)) return `${exchange}:${key}`;
  return others.length === 2 ? `${exchange}:${others[0]}` : name;
}
