import { trace } from "@opentelemetry/api";
import type { Database } from "#metadata/postgres/database.ts";
import { type BudgetRules, withinBudget } from "#platform/outbox/outcome.ts";
import { Outbox, type OutboxOptions, recordMs } from "#platform/outbox/outbox.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import { type ClaimedDelivery, DeliveryQueue } from "./queue.ts";

type Shared = Pick<OutboxOptions<ClaimedDelivery>, "wakeups" | "clock" | "log" | "pollMs">;

export interface SenderOptions extends Shared {
  channel: Channel;
  db: Database;
  metrics: DeliveryMetrics;
  retry: BudgetRules;
  /** Longest time of one attempt, milliseconds. */
  timeoutMs: number;
  /** Milliseconds until a claim expires. */
  leaseMs?: number;
}

/** Milliseconds that attempts in flight are given when the process stops. */
const drainMs = 12_000;
const tracer = trace.getTracer("tributary.notifier");

/** The outbox of one channel: deliveries of an alert and recipient in their order, the channel at its rate. */
export function channelSender(options: SenderOptions): Outbox<ClaimedDelivery> {
  const { channel, db, metrics, retry, timeoutMs: attemptMs, log } = options;
  const { name, recipients, intervalMs, concurrency } = channel;
  const leaseMs = options.leaseMs ?? attemptMs + recordMs;
  const queue = { channel: name, recipients, intervalMs, attemptMs, leaseMs, pause: retry };
  return new Outbox({
    ...options,
    name: `sender of ${name}`,
    queue: new DeliveryQueue(db, queue),
    channel: { concurrency, send: (item, signal) => send(channel, item, signal) },
    policy: { ...withinBudget(retry), attemptMs, drainMs },
    span: {
      tracer,
      name: "send notification",
      prefix: "tributary.notification",
      attributes: ({ id, number }) => ({ channel: name, delivery: id, attempt: number }),
    },
    log: log.with({ channel: name }),
    metrics: metrics.of(name),
    wakeup: "notification_delivery",
  });
}

async function send(
  channel: Channel,
  { id: deliveryId, recipient, message }: ClaimedDelivery,
  signal: AbortSignal,
) {
  if (message === null) {
    return { kind: "refused", cause: "its message is no longer stored" } as const;
  }
  return await channel.send({ deliveryId, recipient, message }, signal);
}
