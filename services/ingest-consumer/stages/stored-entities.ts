import type { Queryable } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import type {
  ChunkIdentity,
  EntityDraft,
  Ownership,
  StoredEntity,
  WriteOutcome,
} from "../chunk.ts";

/** What is read of stored entities. */
export const storedColumns =
  `id, catrn, data_source_id AS "sourceId", hollow, NOT is_live(status) AS deleted, batch,
          status_updated_at AS "statusAt", received_at AS "receivedAt", encode(content_hash, 'hex') AS hash`;

/** A row of `storedColumns`. */
export type StoredEntityRow = Omit<StoredEntity, "statusAt" | "receivedAt"> & {
  statusAt: Date | null;
  receivedAt: Date | null;
};

/** Runs a statement that returns entities; returns them by CATRN. */
export async function storedEntities(
  on: Queryable,
  statement: Statement<StoredEntityRow>,
  values: unknown[],
): Promise<Map<string, StoredEntity>> {
  const rows = await on.query(statement, values);
  return new Map(rows.map((row) => [row.catrn, {
    ...row,
    statusAt: row.statusAt?.getTime() ?? null,
    receivedAt: row.receivedAt?.getTime() ?? null,
  }]));
}

/** What decides whether an entity is written. */
export interface PostingContext {
  identity: Pick<ChunkIdentity, "batch" | "receivedAt" | "yieldsAt">;
  sourceId: number;
  siblingSources: ReadonlySet<number>;
  ownership: Ownership;
}

/**
 * Compares a posted entity with the stored one. A stored payload that is newer (by time of receipt,
 * then batch) stays; equal content of a live entity only updates when it was last seen.
 */
export function evaluate(
  draft: EntityDraft,
  stored: StoredEntity | undefined,
  by: PostingContext,
): WriteOutcome {
  if (by.ownership.ownerOf(draft.catrn, stored) !== null) return "foreign";
  if (!stored) return "new";
  if (isSkippedByPrecedence(stored, by)) return "kept";
  if (isNewer(stored, by.identity)) return "stale";
  if (stored.hollow) return "new";
  const same = stored.hash === draft.hash && stored.sourceId === by.sourceId && !stored.deleted;
  return same ? "unchanged" : "changed";
}

/**
 * Whether stored data takes precedence over a batch: more than a name, of another system, and either live or deleted
 * after the batch last saw it.
 */
function isSkippedByPrecedence(
  stored: StoredEntity,
  { identity: { yieldsAt }, sourceId, siblingSources }: PostingContext,
): boolean {
  if (yieldsAt === null || stored.hollow) return false;
  const own = stored.sourceId !== null &&
    (stored.sourceId === sourceId || siblingSources.has(stored.sourceId));
  if (own) return false;
  return !stored.deleted || (stored.statusAt ?? -Infinity) > yieldsAt;
}

function isNewer(stored: StoredEntity, { batch, receivedAt }: PostingContext["identity"]): boolean {
  if (stored.receivedAt === null) return false;
  if (stored.receivedAt !== receivedAt) return stored.receivedAt > receivedAt;
  return stored.batch !== null && stored.batch > batch;
}
