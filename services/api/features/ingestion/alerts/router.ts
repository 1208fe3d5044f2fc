import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { AppError, unavailable } from "#kit/errors.ts";
import type { Counter } from "#kit/metrics.ts";
import { inBatches } from "#kit/event-loop.ts";
import { createAlerts, maxChunks, resolveAlerts, stackAlerts } from "#metadata/catalogue/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/hollow-entities.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import {
  eachOnItsOwn,
  type OpenAlert,
  type Plan,
  type Raised,
  readAlert,
  type Told,
  withoutRepeats,
} from "./plan.ts";
import { entityIds, lockOpen, takeTurn } from "./queries.ts";

/** Largest body of one request, in bytes. */
export const maxAlertBody = 5 * 1_048_576;

/** Alerts to process before yielding to the event loop. */
const batchSize = 1_000;

/** Reads the bodies of alert routers; a body over the limit is a 413. */
export function alertBodies(timeoutMs: number): BodyReader {
  return new BodyReader({
    maxBytes: maxAlertBody,
    timeoutMs,
    tooLarge: (message) => new AppError(message, { status: 413, code: "USR001", resolvable: true }),
  });
}

type Tools = Pick<Context, "db" | "clock" | "config" | "metrics">;
const type = "DISTRIBUTION_ANOMALY" as const;

/** Stores the alerts of a request: all of them, or none. */
export class AlertRouter {
  readonly #count: Counter;

  constructor(private readonly context: Tools) {
    this.#count = context.metrics.counter(
      "tributary_alerts_routed_total",
      "Alerts that alert routers told of, by what came of them",
      ["outcome"],
    );
  }

  /**
   * Records every alert as an open distribution anomaly, on the entity that it names (a hollow one
   * if unknown) or on none. With `alerts.deduplicate`, repeats extend the open alert and resolved
   * ones close it. 503 when an entity was purged meanwhile: the router will retry.
   */
  async take(alerts: RoutedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const receivedAt = this.context.clock.now();
    const told: Told[] = [];
    for await (const batch of inBatches(alerts, batchSize)) {
      for (const alert of batch) told.push(readAlert(alert, receivedAt));
    }
    const plan = await retryingTransaction(this.context.db, async (tx) => {
      const plan = await this.#plan(tx, told, receivedAt);
      await carryOut(tx, plan, new Date(receivedAt).toISOString());
      return plan;
    });
    this.#measure(plan);
  }

  async #plan(tx: Transaction, told: Told[], receivedAt: number): Promise<Plan> {
    if (!this.context.config.alerts.deduplicate) return eachOnItsOwn(told);
    await takeTurn(tx);
    const fingerprints = new Set(told.flatMap((one) => one.fingerprint ?? []));
    return withoutRepeats(told, await lockOpen(tx, [...fingerprints]), receivedAt);
  }

  #measure({ raised, changed, ignored }: Plan): void {
    const outcomes = {
      raised: raised.length,
      stacked: changed.filter((one) => one.chunks.length > 0).length,
      resolved: changed.filter((one) => one.resolved).length,
      ignored,
    };
    for (const [outcome, n] of Object.entries(outcomes)) this.#count.inc({ outcome }, n);
  }
}

async function carryOut(tx: Transaction, { raised, changed }: Plan, at: string): Promise<void> {
  if (raised.length > 0) await raise(tx, raised, at);
  const refOf = ({ id, entityId }: OpenAlert) => ({ id, entityId, type });
  const grown = changed.filter((one) => one.chunks.length > 0);
  await stackAlerts(
    tx,
    grown.map(({ alert, chunks }) => ({ alert: refOf(alert), chunks: chunks.slice(-maxChunks) })),
    at,
  );
  await resolveAlerts(tx, changed.filter((one) => one.resolved).map((one) => refOf(one.alert)), at);
}

async function raise(tx: Transaction, raised: Raised[], at: string): Promise<void> {
  const catrns = [...new Set(raised.flatMap(({ catrn }) => catrn ?? []))];
  await ensureEntities(tx, catrns);
  const entities = catrns.length > 0 ? await entityIds(tx, catrns) : new Map<string, number>();
  const entityOf = (catrn: string | null): number | null => {
    if (catrn === null) return null;
    const id = entities.get(catrn);
    if (id === undefined) throw unavailable(`Data entity ${catrn} is being removed`, 1);
    return id;
  };
  const alerts = raised.map(({ catrn, chunks, raisedAt, fingerprint, resolved }) => ({
    entityId: entityOf(catrn),
    messengerId: null,
    type,
    chunks: chunks.slice(-maxChunks),
    raisedAt: chunks.length > 1 ? at : raisedAt,
    fingerprint,
    resolved,
  }));
  for await (const batch of inBatches(alerts, batchSize)) await createAlerts(tx, batch, at);
}
