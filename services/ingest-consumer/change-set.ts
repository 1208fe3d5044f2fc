import type { DataSetField } from "#contract/ingestion/fields.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import type {
  ApplyResult,
  ChunkIdentity,
  ForeignItem,
  RunDraft,
  SharedNames,
  WriteOutcome,
} from "./chunk.ts";
import { type Column, columns } from "./statement.ts";

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

/** Findings of a chunk's writes that may raise alerts. */
interface AlertSignals {
  /** Finished runs that are new, or whose outcome changed. */
  runs: RunDraft[];
  fields: RemovedField[];
  links: RemovedLink[];
}

/** A field row that the newest version of its dataset no longer has. */
export interface RemovedField {
  datasetId: number;
  /** Id of the row. */
  fieldId: number;
  /** The new field with the same CATRN; null when there is none. */
  now: DataSetField | null;
}

/** Something that a transformer or consumer named until this chunk, and no longer does. */
export interface RemovedLink {
  entityId: number;
  kind: "source" | "target" | "input";
  catrn: string;
}

/**
 * Writes one aspect of a chunk, in a fixed number of statements whatever the number of entities. It is begun while the write
 * before it may still be at work; one that reads what others wrote waits for `before`.
 */
export type Write = (tx: Transaction, set: ChangeSet, before: Promise<void>) => Promise<void>;

export function noSignals(): AlertSignals {
  return { runs: [], fields: [], links: [] };
}

/** Ids of the changed entities that may have rows from an earlier payload. */
export function earlierIds(set: ChangeSet): number[] {
  return byFreshness(set).known.map((change) => change.id);
}

/** `insert` takes the columns of rows; `replace` the ids of the entities whose rows they replace, and then the same. */
interface RowStatements<R> {
  insert: Statement;
  replace: Statement<R>;
}

/**
 * Replaces the rows of changed entities by those of `rowsOf`. For new entities they are added, without looking for earlier
 * ones. Returns what was added, and what `replace` returned.
 */
export async function writeRows<T, R>(
  tx: Transaction,
  set: ChangeSet,
  sql: RowStatements<R>,
  rowsOf: (changes: EntityChange[]) => T[],
  ...made: Column<T>[]
): Promise<{ added: T[]; replaced: R[] }> {
  const { fresh, known } = byFreshness(set);
  const added = rowsOf(fresh);
  if (added.length > 0) await tx.query(sql.insert, columns(added, ...made));
  if (known.length === 0) return { added, replaced: [] };
  const ids = bigints(known.map(({ id }) => id));
  const replaced = await tx.query(sql.replace, [ids, ...columns(rowsOf(known), ...made)]);
  return { added, replaced };
}

/** Changed entities: those that may have rows from an earlier payload, and those that have none, so rows need only be added. */
function byFreshness({ changes }: ChangeSet) {
  const { fresh = [], known = [] } = Object.groupBy(changes, (c) => c.fresh ? "fresh" : "known");
  return { fresh, known };
}
