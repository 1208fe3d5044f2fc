import { messageOf } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import { classify, isMetadataDown, sqlState } from "#metadata/postgres/database.ts";
import type { Subject } from "./names.ts";
import {
  type LeaderTerm,
  LeaseLostError,
  LogFailure,
  type PublisherDeps,
  publisherMetrics,
} from "./deps.ts";
import { countQuarantined, putAside } from "./quarantine.queries.ts";
import { deleteChanges } from "./store.queries.ts";

/** Maximum number of subjects that are remembered as set aside; beyond it the one tried longest ago is forgotten. */
export const maxQuarantined = 10_000;

/** Characters of a cause that are stored. */
const maxCause = 500;

/**
 * Whether a failure is caused by the mapped entity and would recur: not by an unreachable engine, nor
 * in a lease that is lost, nor in a statement that no data could make right.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof LeaseLostError || error instanceof LogFailure || isMetadataDown(error)) {
    return false;
  }
  return sqlState(error) === undefined || classify(error) === "permanent";
}

/** Sets aside a subject that cannot be composed or posted, and what had it composed. */
export async function quarantine(
  leading: LeaderTerm,
  { subject, changes }: { subject: Subject; changes: number[] },
  error: unknown,
): Promise<void> {
  const { clock, log, metrics } = leading.deps;
  const cause = bounded(messageOf(error), maxCause) || "unknown";
  const at = new Date(clock.now());
  await leading.transaction(async (tx) => {
    await putAside(tx, subject, { cause, at, max: maxQuarantined });
    await deleteChanges(tx, changes);
  });
  publisherMetrics(metrics).quarantines.inc();
  await reportQuarantined(leading.deps);
  log.error("service cannot be composed and is quarantined", { ...subject, error });
}

/** Reports the number of quarantined subjects as a metric. */
export async function reportQuarantined({ db, metrics }: PublisherDeps): Promise<void> {
  publisherMetrics(metrics).quarantined.set({}, await countQuarantined(db));
}
