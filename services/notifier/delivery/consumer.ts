import { alertEvents } from "#contract/topics.ts";
import { alive } from "#eventlog/alive.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import type { Policy } from "#services/notifier/policy/decision.ts";
import { DeliveryPlanner } from "./planner.ts";
import { DeliveryMetrics } from "./metrics.ts";
import type { Route } from "./store.ts";

/** Milliseconds that the walk of one message may take. */
const walkMs = 2_000;

/** The worker that turns changes of alerts into deliveries. */
export function deliveryConsumer(context: Context, routes: Route[], policy: Policy): Worker {
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
    metrics: new DeliveryMetrics(metrics),
    log: log.with({ service: "notifier" }),
    clock,
    deadLetter: async (record, { reason, message, details }) => {
      await deadLetter(context, { topic: alertEvents, record, reason, message, details });
    },
  });
  return consumerOf(events, intake);
}

function consumerOf(events: EventLog, intake: DeliveryPlanner): Worker {
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
