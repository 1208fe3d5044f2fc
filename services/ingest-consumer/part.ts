import type { RefusedItem } from "#contract/ingestion/batch.ts";
import type { Inspected } from "#contract/ingestion/inspect.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";

/** Names the effect of one part: what was applied under it once is never applied again. */
export interface PartIdentity {
  batch: string;
  part: number;
  /** Parts that the batch has in all. */
  parts: number;
  /** When the batch was received, milliseconds since the epoch. */
  receivedAt: number;
  /** Written to the log by a collector itself, so nothing was validated before. */
  direct: boolean;
}

/** The body of a record that was decoded, its keys spelled `catrn`. */
export interface ReceivedPart {
  identity: PartIdentity;
  body: Uint8Array;
  /** What was seen of it; it is looked at again where that is missing. */
  inspected?: Inspected;
}

/** A part whose `items` are sound. `refused` ones are left over, in direct records only. */
export interface ValidPart extends ReceivedPart {
  sourceCatrn: string;
  items: DataEntity[];
  /** Of each item, its index within the record. */
  indexes: number[];
  refused: RefusedItem[];
}

/** An entity as posted, with the hash of its content (sha-256, hexadecimal). */
export interface EntityDraft {
  catrn: string;
  hash: string;
  item: DataEntity;
}

/** A run of a transformer or of a test, as posted. */
export interface RunDraft {
  catrn: string;
  hash: string;
  kind: "TRANSFORMER" | "TEST";
  taskCatrn: string;
  item: DataEntity;
  run: NonNullable<DataEntity["data_transformer_run"] | DataEntity["data_quality_test_run"]>;
}

/** A valid part as entities and runs, each in order of CATRN. */
export interface DraftedPart {
  identity: PartIdentity;
  sourceCatrn: string;
  entities: EntityDraft[];
  runs: RunDraft[];
}

/** What the catalogue holds of an entity before the part is applied. */
export interface HeldEntity {
  id: number;
  catrn: string;
  sourceId: number | null;
  hollow: boolean;
  deleted: boolean;
  receivedAt: number | null;
  batch: string | null;
  hash: string | null;
}

/** What a part means for one entity. */
export type Verdict = "new" | "changed" | "unchanged" | "stale";

/** A drafted part with everything that had to exist before its transaction. */
export interface ResolvedPart extends DraftedPart {
  sourceId: number;
  /** What is expected to be written; the transaction judges again under its locks. */
  expected: { fresh: EntityDraft[]; changed: { id: number; draft: EntityDraft }[] };
  /** CATRNs that must be locked and known: ends of edges, members, targets. */
  references: string[];
  tagIds: Map<string, number>;
  /** Ids of metadata fields by `fieldKey`. */
  fieldIds: Map<string, number>;
}

/** How a part ended, for acknowledgement and metrics. */
export interface Applied {
  /** False: it was applied before, and nothing was done. */
  effect: boolean;
  counts: Record<Verdict, number>;
  /** What became of alerts. */
  alerts: Record<AlertChange, number>;
}

/** Made, gained chunks while open, or resolved by a later success. */
export type AlertChange = "created" | "stacked" | "resolved";
