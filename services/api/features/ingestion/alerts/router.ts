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
  type AlertInsert,
  type AlertState,
  type OpenAlert,
  type Plan,
  planEach,
  planOnce,
} from "./plan.ts";
import {
  entityIds,
  lockOpen,
  quietEntities,
  rememberEnds,
  saidAlready,
  startsOf,
  takeTurn,
} from "./queries.ts";
import { readAlert, type ReceivedAlert } from "./received.ts";

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

type Deps = Pick<Context, "db" | "clock" | "config" | "metrics">;
const type = "DISTRIBUTION_ANOMALY" as const;

/** Stores the alerts of a request: all of them, or none. */
export class AlertRouter {
  readonly #count: Counter;

  constructor(private readonly context: Deps) {
    this.#count = context.metrics.counter(
      "tributary_alerts_routed_total",
      "Alerts that alert routers sent, by outcome",
      ["outcome"],
    );
  }

  /**
   * Records alerts as distribution anomalies, on the entity that each names (a hollow one if unknown) or
   * on none: one for each that fires, or, without `alerts.deduplicate`, one for each delivery. 503 when
   * an entity was purged meanwhile: the router will retry.
   */
  async take(alerts: RoutedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const receivedAt = this.context.clock.now();
    const linkOnly = !this.context.config.alerts.deduplicate;
    const received: ReceivedAlert[] = [];
    for await (const batch of inBatches(alerts, batchSize)) {
      for (const alert of batch) received.push(readAlert(alert, receivedAt, linkOnly));
    }
    const plan = await retryingTransaction(this.context.db, async (tx) => {
      const plan = await this.#plan(tx, received, receivedAt);
      await carryOut(tx, plan, new Date(receivedAt).toISOString());
      return plan;
    });
    this.#measure(plan);
  }

  async #plan(tx: Transaction, received: ReceivedAlert[], receivedAt: number): Promise<Plan> {
    const catrns = [...new Set(received.flatMap((one) => one.catrn ?? []))];
    const at = new Date(receivedAt).toISOString();
    if (!this.context.config.alerts.deduplicate) {
      return planEach(received, await quietEntities(tx, catrns, at));
    }
    await takeTurn(tx);
    const quiet = await quietEntities(tx, catrns, at);
    return planOnce(received, { quiet, ...await knownOf(tx, received) }, receivedAt);
  }

  #measure({ raised, changed, ignored, repeated, halted }: Plan): void {
    const outcomes = {
      raised: raised.length,
      stacked: changed.filter((one) => one.chunks.length > 0).length,
      resolved: changed.filter((one) => one.resolved).length,
      ignored,
      repeated,
      halted,
    };
    for (const [outcome, n] of Object.entries(outcomes)) this.#count.inc({ outcome }, n);
  }
}

/** What is stored about the alerts received. */
async function knownOf(
  tx: Transaction,
  received: ReceivedAlert[],
): Promise<Omit<AlertState, "quiet">> {
  const fingerprints = [...new Set(received.flatMap((one) => one.fingerprint ?? []))];
  const open = await lockOpen(tx, fingerprints);
  const newestOpen = new Map(open.map(({ fingerprint, id }) => [fingerprint, id]));
  const texts = received.flatMap(({ fingerprint, resolved, description }) => {
    const id = resolved ? undefined : newestOpen.get(fingerprint ?? "");
    return id === undefined ? [] : [{ id, text: description }];
  });
  const keyOf = (id: number, text: string) => `${id} ${text}`;
  const said = new Set(
    (await saidAlready(tx, texts)).map((place) => {
      const { id, text } = texts[place - 1]!;
      return keyOf(id, text);
    }),
  );
  const says: AlertState["says"] = (id, text) => said.has(keyOf(id, text));
  return { open, says, ...await startsOf(tx, fingerprints) };
}

async function carryOut(tx: Transaction, plan: Plan, at: string): Promise<void> {
  const { raised, changed } = plan;
  await rememberEnds(tx, plan.ended);
  if (raised.length > 0) await raise(tx, raised, at);
  const refOf = ({ id, entityId }: OpenAlert) => ({ id, entityId, type });
  const grown = changed.filter((one) => one.chunks.length > 0);
  await stackAlerts(
    tx,
    grown.map(({ alert, chunks, startsAt }) => ({
      alert: refOf(alert),
      chunks: chunks.slice(-maxChunks),
      startsAt,
    })),
    at,
  );
  await resolveAlerts(tx, changed.filter((one) => one.resolved).map((one) => refOf(one.alert)), at);
}

async function raise(tx: Transaction, raised: AlertInsert[], at: string): Promise<void> {
  const catrns = [...new Set(raised.flatMap(({ catrn }) => catrn ?? []))];
  await ensureEntities(tx, catrns);
  const entities = catrns.length > 0 ? await entityIds(tx, catrns) : new Map<string, number>();
  const entityOf = (catrn: string | null): number | null => {
    if (catrn === null) return null;
    const id = entities.get(catrn);
    if (id === undefined) throw unavailable(`Data entity ${catrn} is being removed`, 1);
    return id;
  };
  const alerts = raised.map(({ catrn, chunks, raisedAt, fingerprint, startsAt, resolved }) => ({
    entityId: entityOf(catrn),
    messengerId: null,
    type,
    chunks: chunks.slice(-maxChunks),
    raisedAt: chunks.length > 1 ? at : raisedAt,
    fingerprint,
    startsAt,
    resolved,
  }));
  for await (const batch of inBatches(alerts, batchSize)) await createAlerts(tx, batch, at);
}
