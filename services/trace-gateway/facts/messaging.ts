import type { DataTarget } from "#contract/traces.ts";
import type { Attributes, SpanModel } from "../model.ts";
import { clean, text } from "./attributes.ts";
import { addressOf } from "./calls.ts";
import { brokerSystem, sharedDestination } from "./brokers.ts";

/** What a span does with messages; null: nothing, `irrelevant`: nothing that other spans do not report. */
export type MessagingRole =
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
