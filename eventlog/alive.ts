import type { BatchContext } from "#eventlog/port.ts";

/** Milliseconds between two heartbeats. */
const heartbeatMs = 2_000;

/**
 * Sends heartbeats while `work` runs, so that the consumer keeps its partition; if it is lost anyway, the
 * next `done` throws.
 */
export async function alive<T>(
  context: Pick<BatchContext, "heartbeat">,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void context.heartbeat().catch(() => {}), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
