/** The properties of a topic, whatever log engine stores it. */
export interface TopicSpec {
  /** Logical name (`ingestion.batches`); the adapter adds the instance prefix. */
  name: string;
  partitions: number;
  /** Largest record, in bytes. */
  maxRecordBytes: number;
  /** How long records are stored, in milliseconds. */
  retentionMs: number;
}

const day = 24 * 60 * 60 * 1000;

/** Metadata batches as collectors post them; the key is the CATRN of the data source. */
export const ingestionBatches = "ingestion.batches";
/**
 * Batches made from OpenLineage events, which have lower precedence than those of collectors; keyed likewise. They have a topic of
 * their own so that no collector's batch waits in a partition behind them.
 */
export const composedBatches = "ingestion.composed";
/** The consumer group that applies the batches of both topics. */
export const ingestionGroup = "ingest-consumer";
/** Records that could not be applied, with reason and origin; keys as in the original topic. */
export const ingestionDeadLetters = "ingestion.dead-letters";

/** Facts about spans, many in a record; partitioned by trace id. */
export const tracesSpans = "traces.spans";
/** Changes of alerts that the notifier read from the write-ahead log; the key is the alert's id. */
export const alertEvents = "alerts.events";

/** Accepted OpenLineage events; the key is that of the clients' own Kafka transports. */
export const openlineageEvents = "openlineage.events";
/** Records of a foreign topic that are not OpenLineage events, with reason and origin. */
export const openlineageDeadLetters = "openlineage.dead-letters";

/** Largest record of an OpenLineage event: the largest event, and what serializing it again may add. */
export const maxEventRecordBytes = 6 * 1024 * 1024;

/** Largest record of span facts, in bytes. */
export const maxSpansRecordBytes = 4 * 1024 * 1024;

/** Largest record of the batches topic: the largest body, plus its frame. */
const maxBatchRecordBytes = 22 * 1024 * 1024;

/** The topics that every process creates if missing. `partitions` comes from the configuration. */
export function topics(partitions: number): TopicSpec[] {
  const topic = (name: string, maxRecordBytes: number, days: number): TopicSpec => ({
    name,
    partitions,
    maxRecordBytes,
    retentionMs: days * day,
  });
  return [
    topic(ingestionBatches, maxBatchRecordBytes, 7),
    topic(composedBatches, maxBatchRecordBytes, 7),
    topic(ingestionDeadLetters, maxBatchRecordBytes, 30),
    topic(tracesSpans, maxSpansRecordBytes, 2),
    topic(alertEvents, 64 * 1024, 7),
    topic(openlineageEvents, maxEventRecordBytes, 7),
    topic(openlineageDeadLetters, maxEventRecordBytes, 30),
  ];
}

/** Headers of records of `alerts.events`. */
export const alertEventHeaders = {
  /** `alert.event`. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
  /** Id of the change; consumers recognise a repeated record by it. */
  event: "event",
  /** W3C trace context of the request or job that changed the alert; may be missing. */
  traceparent: "traceparent",
} as const;

export const alertEventType = "alert.event";
export const alertEventVersion = "1";

/** Headers that a dead letter carries in addition to those of its original record. */
export const deadLetterHeaders = {
  /** Short stable code, such as `unknown_data_source`. */
  reason: "dead-letter-reason",
  message: "dead-letter-message",
  /** JSON of the `details[]` of the refusal, cut to 8 kB. */
  details: "dead-letter-details",
  originTopic: "dead-letter-origin-topic",
  originPartition: "dead-letter-origin-partition",
  originOffset: "dead-letter-origin-offset",
  /** When the dead letter was written, in milliseconds since the epoch. */
  failedAt: "dead-letter-failed-at",
  /** `true` when only the first 64 kB of the value were stored. */
  cut: "dead-letter-cut",
} as const;
