import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import { AppliedBatches } from "./applied.ts";
import { AppliedBackpressure } from "./backpressure.ts";
import { yieldingBatches } from "./batches.ts";
import type { QueueDeps, QueueMetrics } from "./deps.ts";
import type { QueueStatements } from "./queue.queries.ts";
import { defaultRenameMs, queueRemovals } from "./removals.ts";
import { registerSources, type SourceNaming } from "./sources.ts";
import type { PublisherWork, RoundOutcome } from "./worker.ts";

/** Rows of a round beyond which the next one follows without a rest. */
const busyRows = 150;

/** Rows that are counted of each table. */
const maxCounted = 10_000;

/** What a source with a row queue consists of, besides its mapping. */
interface QueueOptions<T extends string, M extends QueueMetrics<T>> {
  /** Name of the service in the log. */
  service: string;
  metrics: M;
  statements: QueueStatements<T>;
  naming: SourceNaming;
  refreshMs: number;
}

/** What the publisher of a source with a row queue works with: its batches yield to collectors. */
export function queueDeps<T extends string, M extends QueueMetrics<T>>(
  context: Context,
  { service, metrics, statements, naming, refreshMs }: QueueOptions<T, M>,
): QueueDeps<T> & { metrics: M } {
  const { db, events, clock } = context;
  const log = context.log.with({ service });
  const intakeWarnings = new IntakeWarnings({ db, clock, log, metrics: context.metrics });
  return {
    db,
    events,
    clock,
    log,
    metrics,
    intakeWarnings,
    backpressure: new AppliedBackpressure({ db, clock }),
    applied: new AppliedBatches({ db, events, clock, log, statements }),
    filtered: context.config.auth.ingestion.filter.enabled,
    source: {
      system: naming.system,
      batches: yieldingBatches,
      removals: queueRemovals(statements, { root: naming.root, renameMs: defaultRenameMs }),
      statements,
      refreshMs,
      ensureSources: (groups) => registerSources({ db, intakeWarnings }, groups, naming),
    },
  };
}

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
