import { trace } from "@opentelemetry/api";
import { alertEvents } from "#contract/topics.ts";
import { alive } from "#eventlog/in-flight.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { Worker } from "#kit/worker.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { type BudgetRules, withinBudget } from "#platform/outbox/queue.ts";
import { Outbox, type OutboxOptions, recordMs } from "#platform/outbox/outbox.ts";
import { openChannels } from "#services/notifier/channels/all.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { policiesOf } from "#services/notifier/policy/policies.ts";
import { reviewer } from "#services/notifier/policy/reviewer.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import type { Policy } from "#services/notifier/policy/decision.ts";
import { type DeliveryMetrics, deliveryMetrics } from "./metrics.ts";
import type { Route } from "./store.ts";
import { DeliveryPlanner } from "./planner.ts";
import { type ClaimedDelivery, DeliveryQueue } from "./queue.ts";

/**
 * The workers between `alerts.events` and the receivers: what makes deliveries, and a sender for each
 * channel. In the order of their start; the channels are closed last.
 */
export function deliveryWorkers(
  context: Context,
  channels: Channel[] = openChannels(context),
): Worker[] {
  const routes = channels.flatMap(({ name: channel, recipients }): Route[] =>
    recipients.map((recipient) => ({ channel, recipient }))
  );
  const policy = policiesOf(context, routes);
  const { db, wakeups, clock, log, metrics, config } = context;
  const releaseAll = config.notifications["inhibit-levels"] === 0;
  return [
    closing(channels),
    ...senders(context, channels),
    reviewer({ db, wakeups, clock, log, metrics, policy, releaseAll }),
    deliveryConsumer(context, routes, policy),
  ];
}

function senders(context: Context, channels: Channel[]): Worker[] {
  const { db, wakeups, clock, config } = context;
  const delivery = config.notifications.delivery;
  const metrics = deliveryMetrics(context.metrics);
  const log = context.log.with({ service: "notifier" });
  const retry = {
    initialMs: delivery["retry-initial"],
    maxMs: delivery["retry-max"],
    budgetMs: delivery["retry-budget"],
  };
  const shared = { db, wakeups, clock, log, metrics, retry, timeoutMs: delivery.timeout };
  return channels.map((channel) => channelSender({ ...shared, channel }));
}

/** Closes the channels once the senders have stopped. */
function closing(channels: Channel[]): Worker {
  return {
    name: "notification channels",
    start: () => Promise.resolve(),
    stop: async () => void await Promise.allSettled(channels.map((channel) => channel.close())),
    health: () => ({ ready: true, state: channels.length > 0 ? "running" : "no_channels" }),
  };
}

/** Milliseconds that the walk of one message may take. */
const walkMs = 2_000;

/** The worker that turns changes of alerts into deliveries. */
function deliveryConsumer(context: Context, routes: Route[], policy: Policy): Worker {
  const { db, graph, config, events, metrics, log, clock } = context;
  const messageBuilder = new MessageBuilder({
    db,
    graph,
    depth: config.notifications.message["downstream-entities-depth"],
    maxNodes: config.lineage["max-nodes"],
    timeoutMs: Math.min(walkMs, config.lineage.timeout),
  });
  const intake = new DeliveryPlanner({
    db,
    messageBuilder,
    policy,
    routes,
    metrics: deliveryMetrics(metrics),
    log: log.with({ service: "notifier" }),
    clock,
    deadLetter: async (record, { reason, message, details }) => {
      await deadLetter(context, { topic: alertEvents, record, reason, message, details });
    },
  });
  return events.consumer({
    group: "notifier",
    topic: alertEvents,
    maxRecords: 100,
    maxBytes: 1024 * 1024,
    concurrency: 4,
    async handler(records, context) {
      if (context.signal.aborted) throw new Error("the partition was taken away");
      await alive(context, () => intake.take(records));
    },
  });
}

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
