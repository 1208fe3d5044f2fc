import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";

const limiters = new WeakMap<Context, ConcurrencyLimiter>();

/** The limiter of all walks, whichever API requested them; one per context. */
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
