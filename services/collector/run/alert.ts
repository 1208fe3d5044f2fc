import type { ConnectionProblem } from "#contract/connections/connection.ts";
import { chunksOf, createAlerts, resolveAlerts, stackAlerts } from "#metadata/catalogue/alerts.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import { type CollectorDeps, transactionUnderLease } from "../deps.ts";
import type { ClaimedRun } from "../runs.queries.ts";
import { lockSource, openAlert } from "./alert.queries.ts";

/** The type of alert that a collector reports for a source that it cannot read. */
const type = "DATA_SOURCE_CONNECTION_ERROR";

/** Opens or extends the alert of a source that cannot be read; resolves it when `problem` is null. */
export async function alertSource(
  deps: Pick<CollectorDeps, "db" | "leases" | "clock">,
  lease: Lease,
  { name, source_catrn }: Pick<ClaimedRun, "name" | "source_catrn">,
  problem: ConnectionProblem | null,
): Promise<void> {
  const at = new Date(deps.clock.now()).toISOString();
  await transactionUnderLease(deps, lease, async (tx) => {
    const [source] = await tx.query(lockSource, [source_catrn]);
    if (!source) return;
    const [open] = await tx.query(openAlert, [source.id]);
    const ref = { entityId: null, type } as const;
    if (!problem) {
      if (open) await resolveAlerts(tx, [{ id: open.id, ...ref }], at);
      return;
    }
    const chunks = chunksOf([`${name} (${source_catrn}): ${problem.reason}`], at);
    if (open) {
      await stackAlerts(tx, [{ alert: { id: open.id, ...ref }, chunks }], at);
      return;
    }
    const alert = { ...ref, messengerId: null, dataSourceId: source.id, chunks, resolved: false };
    await createAlerts(tx, [alert], at);
  });
}
