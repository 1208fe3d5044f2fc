import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import type { EventLog } from "#eventlog/port.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { SpanIntake } from "../../intake/intake.ts";
import { GrpcReceiver } from "../receiver.ts";

const down = {
  bounds: () => Promise.resolve([{ partition: 0, start: 0, end: 0 }]),
  publish: () => Promise.reject(unavailable("The event log is not available", 7)),
} as unknown as EventLog;

export interface ReceiverOptions {
  /** Bytes at work at once in the gateway, and in the gRPC process. */
  intakeInFlight?: number;
  maxInFlight?: number;
  beatEveryMs?: number;
}

/** A gRPC receiver in front of an event log that is down, so that a call let in ends as UNAVAILABLE. */
export async function startReceiver(options: ReceiverOptions = {}) {
  const { intakeInFlight = 1 << 20, maxInFlight = 1 << 20, beatEveryMs } = options;
  const metrics = createMetrics();
  const logs: string[] = [];
  const log = createLogger({ level: "info", format: "json", write: (line) => logs.push(line) });
  const intake = new SpanIntake({
    events: down,
    clock: systemClock,
    metrics,
    maxInFlight: intakeInFlight,
    maxRefusedBytes: 0,
    publishTimeoutMs: 5_000,
  });
  const receiver = new GrpcReceiver({
    intake,
    log,
    metrics,
    beatEveryMs,
    orders: () => ({
      host: "127.0.0.1",
      port: 0,
      maxBytes: 1 << 20,
      maxInFlight,
      maxRefusedBytes: 0,
      answerWithinMs: 5_000,
    }),
  });
  await receiver.start(() => {});
  return {
    receiver,
    logs,
    /** Where it listens now. */
    address: () => receiver.health().detail ?? "",
    metrics: async () => String((await metrics.exposition()).content),
  };
}
