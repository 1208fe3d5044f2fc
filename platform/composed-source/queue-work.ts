import type { QueueDeps } from "./deps.ts";
import type { PublisherWork, RoundOutcome } from "./worker.ts";

/** Rows of a round beyond which the next one follows without a rest. */
const busyRows = 150;

/** Rows that are counted of each table. */
const maxCounted = 10_000;

/** What the publisher of a source with a row queue does in a round. */
export function queueWork<T extends string, D extends QueueDeps<T>>(
  deps: D,
  publishAll: (deps: D, signal: AbortSignal) => Promise<number>,
): Pick<PublisherWork<D>, "deps" | "isDue" | "publishAll" | "countWaiting"> {
  const { db, clock, metrics, source: { statements } } = deps;
  return {
    deps,
    isDue: async () => (await db.query(statements.anyDue, [clock.now()]))[0]!.due,
    async publishAll(given, signal): Promise<RoundOutcome> {
      const taken = await publishAll(given, signal);
      return { taken, full: taken >= busyRows };
    },
    async countWaiting() {
      for (const { table, rows } of await db.query(statements.waiting, [maxCounted])) {
        metrics.waiting(table, rows);
      }
    },
  };
}
