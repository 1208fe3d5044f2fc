import type { Metrics } from "#kit/metrics.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import { queueDeps, queueWork } from "#platform/composed-source/queue.ts";
import type { Context } from "#platform/context.ts";
import { datahubNaming } from "#platform/naming/datahub/names.ts";
import { namingMemory } from "#platform/naming/catalogue.ts";
import type { Service } from "#platform/service.ts";
import type { QueueMetrics } from "#platform/composed-source/deps.ts";
import { kafkaSourceWorkers } from "./kafka-source/worker.ts";
import {
  platformSources,
  type PublisherDeps,
  queue,
  sweep,
  type Table,
} from "./publisher/queue.ts";
import { publishAll } from "./publisher/publish.ts";

/** What becomes of entities of DataHub after their aspects were stored. */
function datahubMetrics(metrics: Metrics): QueueMetrics<Table> {
  const posted = metrics.counter(
    "tributary_datahub_posted_total",
    "Entities of DataHub published in batches",
  );
  const dirty = metrics.gauge(
    "tributary_datahub_dirty",
    "Entities of DataHub waiting to be published, up to 10,000",
  );
  const failures = metrics.counter(
    "tributary_datahub_publish_failures_total",
    "Failed rounds of the publisher of DataHub entities",
    ["cause"],
  );
  return {
    posted: (_, rows) => posted.inc({}, rows),
    waiting: (_, rows) => dirty.set({}, rows),
    failed: (cause) => failures.inc({ cause }),
  };
}

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
  const { clock, metrics } = context;
  const config = context.config.datahub;
  return {
    ...queueDeps(context, {
      service: "datahub",
      metrics: datahubMetrics(metrics),
      statements: queue,
      naming: platformSources,
      refreshMs: config.refresh,
    }),
    config,
    naming: datahubNaming(context.config),
    memory: namingMemory({ clock, metrics }, "datahub-naming"),
  };
}
