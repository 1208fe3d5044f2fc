// Source: OpenTelemetry semantic conventions for messaging, "RabbitMQ" and "AWS SQS and SNS", and what SDKs sent before them.
import type { Attributes } from "../model.ts";
import { text } from "./attributes.ts";

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
export function brokerSystem(given: string): string {
  const system = given.toLowerCase();
  return systems.get(system) ?? system;
}

/** A destination as one span names it. */
export interface GivenDestination {
  system: string | null;
  destination: string;
  role: "producer" | "consumer";
  attributes: Attributes;
}

/** The name of a destination that its producers and its consumers share. */
export function sharedDestination(given: GivenDestination): string {
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
