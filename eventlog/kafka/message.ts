import type { IHeaders, KafkaMessage } from "kafkajs";
import type { LogRecord } from "#eventlog/port.ts";

/** A record as the port knows it; texts in Kafka are UTF-8, a value that is null is empty. */
export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    key: message.key === null ? null : message.key.toString("utf8"),
    value: message.value ?? new Uint8Array(),
    headers: textHeaders(message.headers ?? {}),
    timestamp: Number(message.timestamp),
  };
}

/** Of a header that occurs several times the first counts. */
function textHeaders(headers: IHeaders): Record<string, string> {
  const text: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    text[name] = first === undefined ? "" : first.toString();
  }
  return text;
}
