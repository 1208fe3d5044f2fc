import { messageOf } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import type { PublisherDeps } from "./deps.ts";
import type { Subject } from "./names.ts";
import { countQuarantined, putAside } from "./quarantine.queries.ts";
import { deleteChanges } from "./store.queries.ts";

/** Maximum number of subjects that are remembered as set aside; beyond it the one tried longest ago is forgotten. */
export const maxQuarantined = 10_000;

/** Characters of a cause that are stored. */
const maxCause = 500;

/** Sets aside a subject that cannot be composed or posted, and what had it composed. */
export async function quarantine(
  deps: PublisherDeps,
  { subject, changes }: { subject: Subject; changes: number[] },
  error: unknown,
): Promise<void> {
  const { db, clock, log, metrics } = deps;
  const cause = bounded(messageOf(error), maxCause) || "unknown";
  const at = new Date(clock.now());
  await db.transaction(async (tx) => {
    await putAside(tx, subject, { cause, at, max: maxQuarantined });
    await deleteChanges(tx, changes);
  });
  metrics.quarantines.inc();
  await reportQuarantined(deps);
  log.error("service cannot be composed and is quarantined", { ...subject, error });
}

/** Reports the number of quarantined subjects as a metric. */
export async function reportQuarantined({ db, metrics }: PublisherDeps): Promise<void> {
  metrics.quarantined.set({}, await countQuarantined(db));
}
