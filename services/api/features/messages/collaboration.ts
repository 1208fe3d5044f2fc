import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { Channels } from "./channels.ts";
import { EventIntake } from "./events/intake.ts";
import { eventProcessor } from "./events/processor.ts";
import { MessageMetrics } from "./metrics.ts";
import type { ChatProvider } from "./provider/port.ts";
import { WebApiProvider } from "./provider/web-api.ts";
import { messageSender } from "./sending/sender.ts";

/** Why the operations answer 404; undefined when data collaboration is on. */
export function collaborationOff({ config }: Pick<Context, "config">): string | undefined {
  return config.datacollaboration.enabled
    ? undefined
    : "Data collaboration is off (datacollaboration.enabled)";
}

/** What the operations need while data collaboration is on. */
export interface Collaboration {
  provider: ChatProvider;
  channels: Channels;
  intake: EventIntake;
}

/** Opens what the operations need; the provider is not contacted yet. */
export function collaborationOn(
  context: Context,
  provider: ChatProvider = providerOf(context),
): Collaboration {
  const metrics = new MessageMetrics(context.metrics);
  warnOfForgedEvents(context);
  return {
    provider,
    channels: new Channels(context, provider),
    intake: new EventIntake(context, metrics),
  };
}

/** Milliseconds for which the provider may put a message off. */
const longestMs = 24 * 3_600_000;
const retryMs = 1_000;

/** The sender of messages and the processor of events; none while data collaboration is off. */
export function collaborationWorkers(context: Context): Worker[] {
  const { config: { datacollaboration } } = context;
  if (!datacollaboration.enabled) return [];
  const provider = providerOf(context);
  const metrics = new MessageMetrics(context.metrics);
  const attempts = datacollaboration["sending-messages-retry-count"] + 1;
  const rules = { attempts, waitMs: retryMs, longestMs };
  const { db, wakeups, clock, log, baseUrl, config } = context;
  const shared = { db, wakeups, clock, log, provider, metrics };
  return [
    messageSender({ ...shared, baseUrl, config, rules }),
    eventProcessor({ ...shared, instruments: context.metrics }),
  ];
}

function providerOf({ config: { datacollaboration }, metrics }: Context): ChatProvider {
  const { "api-url": apiUrl, "chat-oauth-token": token = "" } = datacollaboration;
  return new WebApiProvider({ apiUrl, token, metrics });
}

function warnOfForgedEvents({ config: { datacollaboration }, log }: Context): void {
  if (!datacollaboration.enabled || datacollaboration["signing-secret"] !== undefined) return;
  log.warn(
    "anybody can forge events of the chat provider: set datacollaboration.signing-secret, or put a proxy " +
      "that verifies signatures before /api/chat/events",
  );
}
