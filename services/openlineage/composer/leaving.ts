import { system } from "#contract/actor.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { openLineageRoot } from "#platform/naming/openlineage/catrns.ts";
import { forgetLeavers, leavers } from "./leaving.queries.ts";
import type { ComposerParts } from "./parts.ts";

/** Most entities that leave in one round. */
const limit = 500;

/** Milliseconds for which a deletion waits for the last batch of its entity. */
const waitMs = 60 * 60 * 1_000;

/**
 * Marks entities DELETED that OpenLineage made and no longer stands for, as if somebody had done so over the
 * API. What a collector tells of by now stays as it is.
 */
export async function removeLeavers({ db, clock, log }: ComposerParts): Promise<void> {
  const now = clock.now();
  const gone = await retryingTransaction(db, async (tx) => {
    const rows = await tx.query(leavers, [openLineageRoot, new Date(now - waitMs), limit]);
    if (rows.length === 0) return 0;
    await tx.query(forgetLeavers, [rows.map(({ catrn }) => catrn)]);
    const locked = await lockStatuses(tx, rows.flatMap(({ id }) => id === null ? [] : [id]));
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(
      tx,
      system,
      (change) => applyStatus(change, locked, deleted, new Date(now)),
    );
    return locked.length;
  });
  if (gone > 0) {
    log.info("entities that OpenLineage no longer tells of deleted", { entities: gone });
  }
}
