import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import { AppliedBatches } from "#platform/composed-source/applied.ts";
import { AppliedBackpressure } from "#platform/composed-source/backpressure.ts";
import { yieldingBatches } from "#platform/composed-source/batches.ts";
import { queueWork } from "#platform/composed-source/queue-work.ts";
import { defaultRenameMs, queueRemovals } from "#platform/composed-source/removals.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import type { Context } from "#platform/context.ts";
import { datahubRoot } from "#platform/naming/datahub/catrns.ts";
import { datahubNaming } from "#platform/naming/datahub/names.ts";
import { namingMemory } from "#platform/naming/memory.ts";
import type { Service } from "#platform/service.ts";
import { kafkaSourceWorkers } from "./kafka-source/worker.ts";
import { DatahubMetrics } from "./metrics.ts";
import type { PublisherDeps } from "./publisher/deps.ts";
import { publishAll } from "./publisher/publish.ts";
import { queue } from "./publisher/rows.queries.ts";
import { ensureSources } from "./publisher/sources.ts";
import { sweep } from "./publisher/sweep.ts";

/** Makes entities of the aspects that collectors of DataHub sent, and posts them as ingestion batches. */
export const datahubService: Service = {
  name: "datahub",
  create(context) {
    if (!context.config.datahub.enabled) return { routes: [], workers: [] };
    const deps = publisherDeps(context);
    return {
      routes: [],
      workers: [...kafkaSourceWorkers(context), publisherWorker(deps)],
      drain: () => deps.intakeWarnings.flush(),
    };
  },
};

/** Bounds of a rest after a round that had less to do than fits, in milliseconds. */
const maxPauseMs = 200;

function publisherWorker(deps: PublisherDeps): ComposedPublisher<PublisherDeps> {
  return new ComposedPublisher({
    name: "DataHub publisher",
    spans: "datahub",
    ...queueWork(deps, publishAll),
    sweep: () => sweep(deps),
    pauseAfter: (tookMs, { min, full }) => full ? 0 : Math.min(maxPauseMs, Math.max(min, tookMs)),
  });
}

/** What the workers of one process share. */
export function publisherDeps(context: Context): PublisherDeps {
  const { db, events, clock, metrics } = context;
  const log = context.log.with({ service: "datahub" });
  const config = context.config.datahub;
  const intakeWarnings = new IntakeWarnings({ db, clock, log, metrics });
  return {
    db,
    events,
    clock,
    log,
    metrics: new DatahubMetrics(metrics),
    intakeWarnings,
    config,
    naming: datahubNaming(context.config),
    memory: namingMemory({ clock, metrics }, "datahub-naming"),
    backpressure: new AppliedBackpressure({ db, clock }),
    applied: new AppliedBatches({ db, events, clock, log, statements: queue }),
    filtered: context.config.auth.ingestion.filter.enabled,
    source: {
      system: "DataHub",
      batches: yieldingBatches,
      removals: queueRemovals(queue, { root: datahubRoot, renameMs: defaultRenameMs }),
      statements: queue,
      refreshMs: config.refresh,
      ensureSources: (platforms) => ensureSources({ db, intakeWarnings }, platforms),
    },
  };
}
