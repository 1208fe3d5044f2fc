import type { TopicSpec } from "./topic-spec.ts";

const day = 24 * 60 * 60 * 1000;

/** Batches of metadata, as collectors post them; key is the data source CATRN. */
export const ingestionBatches = "ingestion.batches";
/** What could not be applied, with its reason and origin; same keys. */
export const ingestionDeadLetters = "ingestion.dead-letters";

/** Compact facts of spans, packed; partition by trace id. */
export const tracesSpans = "traces.spans";
/** Changes of alerts, as the notifier read them from the write-ahead log; key is the alert's id. */
export const alertEvents = "alerts.events";

/** Largest record of facts of spans, bytes. */
export const maxSpansRecordBytes = 4 * 1024 * 1024;

/** Largest record of the batches topic: the largest body, plus its frame. */
export const maxBatchRecordBytes = 22 * 1024 * 1024;

/** The topics that every process makes sure of. `partitions` comes from the configuration. */
export function topics(partitions: number): TopicSpec[] {
  return [
    {
      name: ingestionBatches,
      partitions,
      maxRecordBytes: maxBatchRecordBytes,
      retentionMs: 7 * day,
    },
    {
      name: ingestionDeadLetters,
      partitions,
      maxRecordBytes: maxBatchRecordBytes,
      retentionMs: 30 * day,
    },
    { name: tracesSpans, partitions, maxRecordBytes: maxSpansRecordBytes, retentionMs: 2 * day },
    { name: alertEvents, partitions, maxRecordBytes: 64 * 1024, retentionMs: 7 * day },
  ];
}

/** Headers of records of `alerts.events`. */
export const alertEventHeaders = {
  /** `alert.event`. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
  /** Id of the change, by which a repeat is known. */
  event: "event",
  /** W3C trace context of what changed the alert; may be missing. */
  traceparent: "traceparent",
} as const;

export const alertEventType = "alert.event";
export const alertEventVersion = "1";

/** Headers that a dead letter carries beside those of the record it came from. */
export const deadLetterHeaders = {
  /** Short stable word, such as `unknown_data_source`. */
  reason: "dead-letter-reason",
  message: "dead-letter-message",
  /** JSON of the `details[]` of the refusal, cut to 8 kB. */
  details: "dead-letter-details",
  originTopic: "dead-letter-origin-topic",
  originPartition: "dead-letter-origin-partition",
  originOffset: "dead-letter-origin-offset",
  /** Milliseconds since the epoch at which it was put here. */
  failedAt: "dead-letter-failed-at",
  /** `true` when only the first 64 kB of the value were kept. */
  cut: "dead-letter-cut",
} as const;
