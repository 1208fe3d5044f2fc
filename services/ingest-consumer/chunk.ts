import type { RefusedItem } from "#contract/ingestion/batch.ts";
import type { Drafts, EntityDraft } from "#contract/ingestion/drafts.ts";
import type { RecordIdentity } from "#contract/ingestion/frame.ts";
import type { JsonInspection } from "#contract/ingestion/inspect.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";

export type { EntityDraft, RunDraft } from "#contract/ingestion/drafts.ts";

/** Identifies the effect of one chunk: what was applied under an identity is never applied again. */
export interface ChunkIdentity extends RecordIdentity {
  /** A collector wrote the record to the log directly, so nothing has validated it yet. */
  direct: boolean;
  /**
   * When its items were last seen, in milliseconds since the epoch, if the batch has low precedence and leaves what others report
   * of the same entities; null if it does not.
   */
  yieldsAt: number | null;
}

/** The body of a decoded record, with its keys spelled `catrn`. */
export interface ReceivedChunk {
  identity: ChunkIdentity;
  body: Uint8Array;
  /** Result of an earlier inspection; without it the body is inspected again. */
  inspected?: JsonInspection;
}

/** A chunk whose `items` are valid. Only direct records can have `refused` items. */
export interface ValidChunk extends ReceivedChunk {
  sourceCatrn: string;
  items: DataEntity[];
  /** The index of each item within the record. */
  indexes: number[];
  refused: RefusedItem[];
}

/** A valid chunk, split into entities and runs, each in order of CATRN. */
export interface DraftedChunk extends Drafts {
  identity: ChunkIdentity;
  sourceCatrn: string;
}

/** An entity as stored in the catalogue before the chunk is applied. */
export interface StoredEntity {
  id: number;
  catrn: string;
  sourceId: number | null;
  hollow: boolean;
  deleted: boolean;
  /** When its status was last set, milliseconds since the epoch; null if never. */
  statusAt: number | null;
  receivedAt: number | null;
  batch: string | null;
  hash: string | null;
}

/** What decides whose an entity is. */
export type StoredSource = Pick<StoredEntity, "sourceId" | "hollow">;

/** The data source that an item belongs to if the posting source may not write it. */
export interface Ownership {
  /** CATRN of that source, or null. Throws `Conflict` when the source of the entity has changed since. */
  ownerOf(catrn: string, stored: StoredSource | undefined): string | null;
}

/**
 * How a posted entity compares with the stored one; `kept`: that of another, to whom the batch has low precedence; `foreign`: that
 * of another, which the batch may not write.
 */
export type WriteOutcome = "new" | "changed" | "unchanged" | "stale" | "kept" | "foreign";

/** An item that was left out, and the CATRN of the data source that it belongs to. */
export interface ForeignItem {
  catrn: string;
  owner: string;
}

/** Ids of rows that payloads name. */
export interface SharedNames {
  tagIds: Map<string, number>;
  /** Of metadata fields, by `fieldKey`. */
  fieldIds: Map<string, number>;
  ownerIds: Map<string, number>;
  titleIds: Map<string, number>;
}

/** A drafted chunk, after all the rows it needs were created in advance. */
export interface ResolvedChunk extends DraftedChunk {
  sourceId: number;
  /** Ids of the data sources of the same system, which do not take precedence over the batch. */
  siblingSources: Set<number>;
  ownership: Ownership;
  /** Runs that were left out. */
  foreignRuns: ForeignItem[];
  /** An alert about the data source was open. */
  hasOpenAlert: boolean;
  /** The expected writes; the transaction decides again once it holds the locks. */
  expected: { fresh: EntityDraft[]; changed: { id: number; draft: EntityDraft }[] };
  /** CATRNs that must exist and be locked: ends of edges, members, targets. */
  references: string[];
  names: SharedNames;
}

/** The result of a chunk, for acknowledgement and metrics. */
export interface ApplyResult {
  /** False if the chunk was applied before and nothing was done. */
  effect: boolean;
  counts: Record<WriteOutcome, number>;
  /** Number of alerts by kind of change. */
  alerts: Record<AlertChange, number>;
  /** Items that were left out, since they belong to other data sources. */
  foreign: ForeignItem[];
  /** Ids of the transformers and datasets that it changed. */
  touched: number[];
}

/** Created, extended by chunks while open, or resolved by a later success. */
export type AlertChange = "created" | "stacked" | "resolved";
