import type { Gauge, Metrics } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Context } from "#platform/context.ts";
import { readSlot } from "#platform/ops/slot/snapshot.ts";
import { slotNames } from "#platform/ops/slot/names.ts";

/** A replication slot that no notifier reads, and for which PostgreSQL keeps its log. */
export interface UnusedSlot {
  slot: string;
  /** Kept on disk for this slot; null when PostgreSQL has given the slot up. */
  retained_bytes: number | null;
  what_to_do: string;
}

const whatToDo =
  "notifications are off and nothing reads this slot, so PostgreSQL keeps its log: " +
  "`npm run notifications -- slot drop`, or switch notifications.enabled on again";

const timeoutMs = 1_500;

/** The slot that an instance left when its notifications were switched off; null if there is none. */
export async function unusedSlot(
  { db, config }: Pick<Context, "db" | "config">,
): Promise<UnusedSlot | null> {
  if (config.notifications.enabled) return null;
  const names = slotNames(config);
  const snapshot = readSlot(db, names);
  const { slot, database } = await withTimeout(snapshot, timeoutMs, () => new Error("no answer"));
  if (!slot || slot.active || slot.database !== database) return null;
  return { slot: names.slot, retained_bytes: slot.retainedBytes, what_to_do: whatToDo };
}

/** As `unusedSlot`; null also when PostgreSQL does not respond. */
export function unusedSlotIfKnown(deps: Pick<Context, "db" | "config">) {
  return unusedSlot(deps).catch(() => null);
}

/** Says at start that a slot is unused. */
export async function warnOfUnusedSlot(deps: Pick<Context, "db" | "config" | "log">) {
  const unused = await unusedSlotIfKnown(deps);
  if (unused) deps.log.warn("replication slot is unused", { ...unused });
}

export function retainedGauge(metrics: Metrics): Gauge {
  return metrics.gauge(
    "tributary_notifier_slot_retained_bytes",
    "Bytes of write-ahead log that the server retains for the slot",
  );
}

/** While notifications are off, nobody else measures the slot. */
export async function measureUnusedSlot(
  deps: Pick<Context, "db" | "config">,
  metrics: Metrics,
): Promise<void> {
  if (deps.config.notifications.enabled) return;
  const unused = await unusedSlotIfKnown(deps);
  retainedGauge(metrics).set({}, unused?.retained_bytes ?? 0);
}
