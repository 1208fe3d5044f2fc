import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";

const limiters = new WeakMap<Context, ConcurrencyLimiter>();

/** What every walk waits its turn at, whichever way it was asked for; one for a context. */
export function lineageLimiter(context: Context): ConcurrencyLimiter {
  const known = limiters.get(context);
  if (known) return known;
  const limiter = new ConcurrencyLimiter({
    concurrency: 4,
    maxWaiting: 256,
    waitMs: context.config.lineage.timeout,
    refused: "Too many lineage questions are being answered",
    waiting: context.metrics.gauge(
      "tributary_lineage_waiting",
      "Lineage questions that wait their turn",
    ),
  });
  limiters.set(context, limiter);
  return limiter;
}
