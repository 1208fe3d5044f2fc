import type { Worker } from "#kit/worker.ts";
import { chatProvider } from "#platform/chat/web-api.ts";
import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { eventProcessor } from "./events/processor.ts";
import { MessageMetrics } from "./metrics.ts";
import { messageSender } from "./sending/sender.ts";

/** Sends messages about entities to the chat provider, and turns replies there into messages here. */
export const chatService: Service = {
  name: "chat",
  create: (context) => ({ routes: [], workers: chatWorkers(context) }),
};

/** Milliseconds for which the provider may put a message off. */
const longestMs = 24 * 3_600_000;
const retryMs = 1_000;

/** The sender of messages and the processor of events; none while data collaboration is off. */
function chatWorkers(context: Context): Worker[] {
  const { config: { datacollaboration } } = context;
  if (!datacollaboration.enabled) return [];
  const attempts = datacollaboration["sending-messages-retry-count"] + 1;
  const rules = { attempts, waitMs: retryMs, longestMs };
  const { db, wakeups, clock, log, baseUrl, config } = context;
  const provider = chatProvider(context);
  const metrics = new MessageMetrics(context.metrics);
  const shared = { db, wakeups, clock, log, provider, metrics };
  return [
    messageSender({ ...shared, baseUrl, config, rules }),
    eventProcessor({ ...shared, instruments: context.metrics }),
  ];
}
