import type { AlertType } from "#contract/alerts.ts";
import { resolveAlerts } from "#metadata/catalogue/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { run } from "../statement.ts";
import * as sql from "./alerts.queries.ts";

/**
 * A data source that delivers can be reached, and its agent works: resolves the open alerts about it
 * that were raised before the batch was received.
 */
export async function resolveSourceAlerts(tx: Transaction, set: ChangeSet): Promise<void> {
  if (!set.hasOpenAlert) return;
  const received = new Date(set.identity.receivedAt).toISOString();
  const open = await run<Open>(tx, sql.openOfSource, [set.sourceId, received]);
  if (open.length === 0) return;
  const { now } = open[0]!;
  await resolveAlerts(tx, open.map(({ id, type }) => ({ id, type, entityId: null })), now);
  set.alerts.resolved += open.length;
}

/** An open alert; `now` is the time. */
interface Open {
  id: number;
  type: AlertType;
  now: string;
}
