import type { EntityDraft, HeldEntity, Ownership, PartIdentity, Verdict } from "../part.ts";

/** What decides whether an entity is written. */
export interface Posting {
  identity: Pick<PartIdentity, "batch" | "receivedAt" | "yieldsAt">;
  sourceId: number;
  kin: ReadonlySet<number>;
  ownership: Ownership;
}

/**
 * Whether a batch gives way to what is stored: more than a name, of another system, and either live or deleted
 * after the batch last saw it.
 */
function isKept(held: HeldEntity, { identity: { yieldsAt }, sourceId, kin }: Posting): boolean {
  if (yieldsAt === null || held.hollow) return false;
  const own = held.sourceId !== null && (held.sourceId === sourceId || kin.has(held.sourceId));
  if (own) return false;
  return !held.deleted || (held.statusAt ?? -Infinity) > yieldsAt;
}

/**
 * Compares a posted entity with the stored one. A stored payload that is newer (by time of receipt,
 * then batch) stays; equal content of a live entity only updates when it was last seen.
 */
export function judge(draft: EntityDraft, held: HeldEntity | undefined, by: Posting): Verdict {
  if (by.ownership.ownerOf(draft.catrn, held) !== null) return "foreign";
  if (!held) return "new";
  if (isKept(held, by)) return "kept";
  if (isNewer(held, by.identity)) return "stale";
  if (held.hollow) return "new";
  const same = held.hash === draft.hash && held.sourceId === by.sourceId && !held.deleted;
  return same ? "unchanged" : "changed";
}

function isNewer(held: HeldEntity, { batch, receivedAt }: Posting["identity"]): boolean {
  if (held.receivedAt === null) return false;
  if (held.receivedAt !== receivedAt) return held.receivedAt > receivedAt;
  return held.batch !== null && held.batch > batch;
}
