import { transactionUnderLease } from "../deps.ts";
import type { PublishedBatch } from "#platform/publish-items.ts";
import * as queries from "./items.queries.ts";
import type { PublishingOptions } from "./options.ts";

/** Milliseconds between two looks. */
const pollMs = 250;

/**
 * Waits a limited time until batches are applied, and reports what the catalogue refused, such as an asset that another
 * source keeps. That is published again by the next run: until then the catalogue does not hold it.
 */
export async function readOutcomes(
  options: PublishingOptions,
  batches: PublishedBatch[],
  signal: AbortSignal,
): Promise<void> {
  const { clock, outcomeWaitMs } = options.deps;
  const waiting = new Map(batches.map((batch) => [batch.id, batch]));
  for (const until = clock.now() + outcomeWaitMs; waiting.size > 0;) {
    await readSome(options, waiting);
    if (waiting.size === 0 || clock.now() >= until || signal.aborted) return;
    await clock.sleep(pollMs, signal);
  }
}

async function readSome(
  { deps, run, lease, report }: PublishingOptions,
  waiting: Map<string, PublishedBatch>,
): Promise<void> {
  const known = await deps.db.query(queries.outcomes, [[...waiting.keys()]]);
  const refused = known.filter((one) => one.refused > 0);
  for (const { refused: count, message } of refused) {
    const reason = `the catalogue refused ${count} assets${message ? `: ${message}` : ""}`;
    const remedy =
      "If a collector reads the same database, delete its data source or this connection";
    report.problem({ object: run.source_catrn, reason, remedy });
  }
  if (refused.length > 0) {
    const times = refused.map(({ batch }) => waiting.get(batch)!.at);
    await transactionUnderLease(
      deps,
      lease,
      (tx) => tx.query(queries.sendAgain, [run.connection_id, times]),
    );
  }
  for (const { batch } of known) waiting.delete(batch);
}
