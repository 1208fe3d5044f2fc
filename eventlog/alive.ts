import type { BatchContext } from "#eventlog/port.ts";

/** Milliseconds between two signs of life. */
const heartbeatMs = 2_000;

/** Gives signs of life while `work` lasts; a lost partition shows at the next `done`. */
export async function alive<T>(context: BatchContext, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void context.heartbeat().catch(() => {}), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
