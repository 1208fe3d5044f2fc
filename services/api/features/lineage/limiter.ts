import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import { lineageQueue } from "#services/api/features/lineage/limits.ts";

const limiters = new WeakMap<Context, ConcurrencyLimiter>();

/**
 * The limiter of all walks, whichever API requested them; one per context. Its keys are callers: those who
 * ask for little do not wait behind one who asks for much.
 */
export function lineageLimiter(context: Context): ConcurrencyLimiter {
  const known = limiters.get(context);
  if (known) return known;
  const { metrics, config } = context;
  const limiter = new ConcurrencyLimiter({
    ...lineageQueue,
    waitMs: config.lineage.timeout,
    refused: "Too many lineage questions are being answered",
    refusedKey: "You ask too many lineage questions at once",
    waiting: metrics.gauge("tributary_lineage_waiting", "Lineage requests waiting for their turn"),
    refusals: metrics.counter(
      "tributary_lineage_refused_total",
      "Lineage requests refused because too many were waiting, in total or from one caller",
      ["limit"],
    ),
  });
  limiters.set(context, limiter);
  return limiter;
}
