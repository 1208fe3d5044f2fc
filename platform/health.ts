import { messageOf } from "#kit/errors.ts";
import { exhausted } from "#kit/supervisor.ts";
import type { Health } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { type UnusedSlot, unusedSlotIfKnown } from "#platform/ops/slot/unused.ts";

export interface EngineHealth {
  engine: string;
  ready: boolean;
  /** Absent unless it is refused: `commits_missing`, `comparing`, `in_recovery`; of the event log `records_missing`. */
  state?: string;
  detail?: string;
}

export interface Readiness {
  ready: boolean;
  /** True when a dependency is down that this process can do without for a while. */
  degraded: boolean;
  engines: Record<string, EngineHealth>;
  workers: Record<string, Health>;
  /** Workers that crashed too often in a row; `workers` has the cause of each. */
  given_up: string[];
  /** Absent unless notifications are off and left a replication slot. */
  unused_slot?: UnusedSlot;
}

const pingMs = 1_500;

/**
 * Whether this process can work: not without the metadata or the event log, nor while a worker has exhausted its retries.
 * Without the graph or the cache it is degraded: reads answer, and ingestion answers `stored`.
 */
export async function readiness(
  context: Context,
  workers: Record<string, Health>,
): Promise<Readiness> {
  const checks: [port: string, engine: string, ping: () => Promise<void>][] = [
    ["metadata", "postgres", () => context.db.ping(pingMs)],
    ["event-log", context.events.engine, () => context.events.ping(pingMs)],
    ["graph", context.graph.engine, () => context.graph.ping(pingMs)],
    ["cache", context.cache.engine, () => context.cache.ping(pingMs)],
  ];
  const unused = unusedSlotIfKnown(context);
  const engines = Object.fromEntries(
    await Promise.all(
      checks.map(async ([port, engine, ping]) => [port, await probe(engine, ping)]),
    ),
  ) as Record<string, EngineHealth>;
  const refusal = context.db.guard?.refusal;
  if (refusal && engines.metadata) engines.metadata.state = refusal.state;
  const log = engines["event-log"];
  const missing = context.events.refusal?.();
  if (log && missing !== undefined) {
    [log.ready, log.detail] = [false, missing];
    log.state = "records_missing";
  }
  const required = engines.metadata?.ready && engines["event-log"]?.ready;
  const all = Object.values(engines).every((e) => e.ready) &&
    Object.values(workers).every((w) => w.ready);
  const lost = Object.entries(workers).filter(([, { state }]) => state === exhausted);
  const ready = Boolean(required) && lost.length === 0;
  const unused_slot = await unused;
  return {
    ready,
    degraded: !all,
    engines,
    workers,
    given_up: lost.map(([name]) => name),
    ...(unused_slot ? { unused_slot } : {}),
  };
}

async function probe(engine: string, ping: () => Promise<void>): Promise<EngineHealth> {
  try {
    await ping();
    return { engine, ready: true };
  } catch (error) {
    return { engine, ready: false, detail: messageOf(error) };
  }
}
