import { type Limit, limit } from "#kit/limits.ts";
import { maxRecordBytes } from "./records.ts";

/** Limits on records of the Kafka topic of `openlineage.kafka`. */
export const kafkaSourceLimits: Limit[] = [
  limit(
    "topic of openlineage.kafka",
    "record, bytes",
    maxRecordBytes,
    "dead letter record_too_large",
  ),
];
