import { system } from "#contract/actor.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import { transactionUnderLease } from "../deps.ts";
import * as queries from "./items.queries.ts";
import type { PublishingOptions } from "./options.ts";

/** Entities that are removed in one transaction. */
const together = 500;

/** Milliseconds after which the last batch of an entity is no longer waited for. */
const waitMs = 60 * 60 * 1_000;

/**
 * Marks as deleted what a complete read no longer found, as somebody would over the API: it comes back with the next
 * batch, with all that people wrote. What belongs to another source by now stays.
 */
export async function removeGone(
  options: PublishingOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let removed = together; removed === together && !signal.aborted;) {
    removed = await removeSome(options);
  }
}

async function removeSome({ deps, run, lease, report }: PublishingOptions): Promise<number> {
  const now = deps.clock.now();
  const rows = await transactionUnderLease(deps, lease, async (tx) => {
    const given = [run.connection_id, run.id, run.source_catrn, together, now - waitMs];
    const rows = await tx.query(queries.gone, given);
    if (rows.length === 0) return [];
    await tx.query(queries.forget, [run.connection_id, rows.map(({ catrn }) => catrn)]);
    const ids = rows.flatMap(({ id }) => id === null ? [] : [id]);
    const locked = await lockStatuses(tx, ids);
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(
      tx,
      system,
      (change) => applyStatus(change, locked, deleted, new Date(now)),
    );
    return rows;
  });
  report.counts.removed += rows.length;
  return rows.length;
}
