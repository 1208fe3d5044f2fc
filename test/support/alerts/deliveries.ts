import type { AlertEventRecord } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { systemClock } from "#kit/clock.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Worker } from "#kit/worker.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { deliveryMetrics } from "#services/notifier/delivery/metrics.ts";
import { channelSender, type SenderOptions } from "#services/notifier/delivery/workers.ts";
import { type Route, store } from "#services/notifier/delivery/store.ts";
import { alertMessage } from "#test/support/alerts/alert-messages.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";

let nextEvent = 0;

/** A change of an alert; every call another one. */
export function anEvent(given: Partial<AlertEventRecord> = {}): AlertEventRecord {
  const id = given.id ?? ++nextEvent;
  return {
    id,
    alert_id: id,
    entity_id: null,
    alert_type: "FAILED_JOB",
    event_type: "CREATED",
    event_at: "2030-01-01T00:00:00.000Z",
    updated_by: null,
    ...given,
  };
}

/** A message of a change, of no entity. */
export function aMessage(event: AlertEventRecord): AlertMessage {
  const { alert_type, event_type, event_at, updated_by } = event;
  const said = { alert_type, event_type, event_at, updated_by };
  return alertMessage({ alert_chunks: [], data_entity: null, ...said });
}

/** Puts changes into the delivery log, to be sent at once; returns them. */
export async function announce(
  { db }: TestDatabase,
  routes: Route[],
  events: AlertEventRecord[],
): Promise<AlertEventRecord[]> {
  const decision = { state: "announced" as const, waitMs: 0 };
  await db.transaction((tx) =>
    store(tx, events.map((event) => ({ event, message: aMessage(event), decision })), routes)
  );
  return events;
}

export interface DeliveryRow {
  [column: string]: unknown;
  id: string;
  event_id: number;
  kind: string;
  alert_id: number;
  channel: string;
  recipient: string;
  state: string;
  reason: string | null;
  merged_into: string | null;
  attempts: number;
}

/** The delivery log by event, channel and recipient. */
export function deliveries({ db }: TestDatabase): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    "SELECT * FROM delivery ORDER BY event_id, kind, channel, recipient",
  );
}

/** Outcomes of the attempts of a delivery, the first one first. */
export async function attemptsOf({ db }: TestDatabase, delivery: string): Promise<string[]> {
  const rows = await db.query<{ outcome: string }>(
    "SELECT outcome FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number",
    [delivery],
  );
  return rows.map((row) => row.outcome);
}

/** A sender that retries within milliseconds, with wake-ups of its own. */
export function fastSender(
  test: TestDatabase,
  channel: Channel,
  options: Partial<SenderOptions> = {},
): { sender: Worker; stop(): Promise<void> } {
  const wakeups = new Wakeups(test.url, silentLogger);
  const sender = channelSender({
    channel,
    db: test.db,
    wakeups,
    clock: systemClock,
    log: silentLogger,
    metrics: deliveryMetrics(noMetrics),
    retry: { initialMs: 20, maxMs: 40, budgetMs: 60_000 },
    timeoutMs: 2_000,
    pollMs: 50,
    ...options,
  });
  return {
    sender,
    async stop() {
      await sender.stop();
      await wakeups.close();
    },
  };
}
