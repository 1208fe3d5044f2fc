import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { slotNames } from "#platform/ops/slot.ts";
import { SlotReader } from "./reader.ts";

/** The worker that brings changes of alerts from the write-ahead log into the event log. */
export function readerWorkers(context: Context): Worker[] {
  const { db, events, clock, metrics, config } = context;
  return [
    new SlotReader({
      db,
      events,
      clock,
      metrics,
      log: context.log.with({ service: "notifier" }),
      names: slotNames(config),
      heartbeatMs: config.notifications.wal.heartbeat,
    }),
  ];
}
