import type { IHeaders, KafkaMessage } from "kafkajs";
import type { LogRecord } from "#eventlog/port.ts";

/** Converts a Kafka message to a record of the port; texts are UTF-8, and a null value becomes empty. */
export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    key: message.key === null ? null : message.key.toString("utf8"),
    value: message.value ?? new Uint8Array(),
    headers: textHeaders(message.headers ?? {}),
    timestamp: timeOf(message),
  };
}

/** The latest time that a `Date` can represent, milliseconds since the epoch. */
const lastTime = 8_640_000_000_000_000;

/**
 * The record's time according to the broker. A topic may keep times chosen by producers, so it is limited to
 * what a `Date` can represent.
 */
function timeOf(message: KafkaMessage): number {
  return Math.min(Math.max(0, Number(message.timestamp)), lastTime);
}

/** Of a header that occurs several times, the first is used. */
function textHeaders(headers: IHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return [name, first?.toString() ?? ""];
    }),
  );
}
