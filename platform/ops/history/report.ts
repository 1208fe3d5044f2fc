import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { addCounts, addSlowStatements } from "#platform/ops/history/queries.ts";

/** Milliseconds between two reports. */
const everyMs = 60_000;

/** Milliseconds that the end of the process waits for a report. */
const stopMs = 1_000;

interface ReportDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** Adds what this process counted to the figures of the instance, every minute. Returns a function that ends it. */
export function reportFigures(
  deps: ReportDeps,
  figures: ProcessFigures,
): () => Promise<void> {
  const { clock, log } = deps;
  let begun = false;
  const loop = new Loop({
    clock,
    retry: { initial: everyMs, max: everyMs },
    stopMs,
    failed: (error) => log.debug("figures could not be reported", { error: messageOf(error) }),
    async round() {
      // Nothing was counted yet.
      if (begun) await reportOnce(deps, figures);
      begun = true;
      return everyMs;
    },
  });
  loop.start((error) => log.error("figures are no longer written", { error }));
  return () => loop.stop();
}

/** Writes what was counted since the last report; a failed one is part of the next. */
export async function reportOnce(
  { db }: Pick<ReportDeps, "db">,
  figures: ProcessFigures,
): Promise<void> {
  const counts = figures.drain();
  await addCounts(db, counts).catch((error) => {
    figures.restore(counts);
    throw error;
  });
  const slow = db.slow.drain();
  if (slow.length === 0) return;
  await addSlowStatements(db, slow).catch((error) => {
    db.slow.restore(slow);
    throw error;
  });
}

/** What a process counts of itself between two reports; reports of all processes of a minute are added up. */
export class ProcessFigures {
  #requests = 0;
  #failed = 0;

  /** Counts one answered request of the API; `status`: that of its answer. */
  answered(status: number): void {
    this.#requests++;
    if (status >= 500) this.#failed++;
  }

  /** Returns the counts by series, and forgets them. */
  drain(): Map<string, number> {
    const counts = new Map([["requests", this.#requests], ["requests/failed", this.#failed]]);
    [this.#requests, this.#failed] = [0, 0];
    return counts;
  }

  /** Takes back what was drained and could not be stored. */
  restore(counts: Map<string, number>): void {
    this.#requests += counts.get("requests") ?? 0;
    this.#failed += counts.get("requests/failed") ?? 0;
  }
}
