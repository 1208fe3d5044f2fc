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
