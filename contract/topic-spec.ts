/** What a topic promises, whatever the engine. */
export interface TopicSpec {
  /** Logical name (`ingestion.batches`); the adapter adds the instance prefix. */
  name: string;
  partitions: number;
  /** Largest record, bytes. */
  maxRecordBytes: number;
  /** How long records are kept, milliseconds. */
  retentionMs: number;
}
