import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { openChannels } from "#services/notifier/channels/all.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { policiesOf } from "#services/notifier/policy/policies.ts";
import { Reviewer } from "#services/notifier/policy/reviewer.ts";
import { deliveryConsumer } from "./consumer.ts";
import { DeliveryMetrics } from "./metrics.ts";
import { channelSender } from "./sender.ts";
import type { Route } from "./store.ts";

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
    new Reviewer({ db, wakeups, clock, log, metrics, policy, releaseAll }),
    deliveryConsumer(context, routes, policy),
  ];
}

function senders(context: Context, channels: Channel[]): Worker[] {
  const { db, wakeups, clock, config } = context;
  const delivery = config.notifications.delivery;
  const metrics = new DeliveryMetrics(context.metrics);
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
