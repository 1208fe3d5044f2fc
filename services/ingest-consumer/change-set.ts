import type { DataEntity } from "#contract/ingestion/schema.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { AlertSignals } from "./alerts/signals.ts";
import type {
  ApplyResult,
  ChunkIdentity,
  ForeignItem,
  RunDraft,
  SharedNames,
  WriteOutcome,
} from "./chunk.ts";

/** An entity that this chunk of a batch writes. */
export interface EntityChange {
  id: number;
  catrn: string;
  hash: string;
  item: DataEntity;
  /** The row was inserted by this transaction, so no other row refers to it yet. */
  fresh: boolean;
  /** New to the catalogue: just inserted, or hollow until now. */
  created: boolean;
  /** It was deleted until now. */
  restored: boolean;
  /** The data source that it had until now, if it had another one. */
  formerSourceId: number | null;
}

/** Everything that the writes of one chunk share. All rows named here are locked. */
export interface ChangeSet {
  identity: ChunkIdentity;
  sourceId: number;
  /** An alert about the data source was open. */
  hasOpenAlert: boolean;
  changes: EntityChange[];
  runs: RunDraft[];
  /** Ids of entities that were posted again without a change. */
  unchanged: number[];
  idOf(catrn: string): number;
  isDeleted(id: number): boolean;
  names: SharedNames;
  /** Filled by the writes: ids of entities whose lineage changed. */
  moved: Set<number>;
  /** Filled by the writes: findings that may raise alerts. */
  signals: AlertSignals;
  counts: Record<WriteOutcome, number>;
  foreign: ForeignItem[];
  alerts: ApplyResult["alerts"];
}

/**
 * Writes one aspect of a chunk, in a fixed number of statements whatever the number of entities. It is begun while the write
 * before it may still be at work; one that reads what others wrote waits for `before`.
 */
export type Write = (tx: Transaction, set: ChangeSet, before: Promise<void>) => Promise<void>;

/** Ids of the changed entities that may have rows from an earlier payload. */
export function earlierIds(set: ChangeSet): number[] {
  return byFreshness(set).known.map((change) => change.id);
}

/** Changed entities: those that may have rows from an earlier payload, and those that have none, so rows need only be added. */
export function byFreshness(
  { changes }: ChangeSet,
): { fresh: EntityChange[]; known: EntityChange[] } {
  const { fresh = [], known = [] } = Object.groupBy(changes, (c) => c.fresh ? "fresh" : "known");
  return { fresh, known };
}
