import type { Metrics } from "#kit/metrics.ts";
import { defaultRenameMs, type SourceMetrics } from "#platform/composed-source/deps.ts";
import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import { AppliedBatches } from "#platform/composed-source/applied.ts";
import { AppliedBackpressure } from "#platform/composed-source/backpressure.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import type { Context } from "#platform/context.ts";
import { datahubRoot } from "#platform/naming/datahub/catrns.ts";
import { datahubNaming } from "#platform/naming/datahub/names.ts";
import { namingMemory } from "#platform/naming/memory.ts";
import type { Service } from "#platform/service.ts";
import { kafkaSourceWorkers } from "./kafka-source/worker.ts";
import type { PublisherDeps } from "./publisher/deps.ts";
import { publishAll } from "./publisher/publish.ts";
import { queue, type Table } from "./publisher/rows.queries.ts";
import { ensureSources } from "./publisher/sources.ts";
import { sweep } from "./publisher/sweep.ts";

/** What becomes of entities of DataHub after their aspects were stored. */
class DatahubMetrics implements SourceMetrics<Table> {
  readonly #posted;
  readonly #dirty;
  readonly #failures;

  constructor(metrics: Metrics) {
    this.#posted = metrics.counter(
      "tributary_datahub_posted_total",
      "Entities of DataHub published in batches",
    );
    this.#dirty = metrics.gauge(
      "tributary_datahub_dirty",
      "Entities of DataHub waiting to be published, up to 10,000",
    );
    this.#failures = metrics.counter(
      "tributary_datahub_publish_failures_total",
      "Failed rounds of the publisher of DataHub entities",
      ["cause"],
    );
  }

  posted(_: Table, rows: number): void {
    this.#posted.inc({}, rows);
  }

  waiting(_: Table, rows: number): void {
    this.#dirty.set({}, rows);
  }

  failed(cause: "event_log" | "metadata"): void {
    this.#failures.inc({ cause });
  }
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

function publisherWorker(deps: PublisherDeps): ComposedPublisher<Table> {
  return new ComposedPublisher<Table>({
    name: "DataHub publisher",
    spans: "datahub",
    deps,
    publishAll: (signal) => publishAll(deps, signal),
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
      root: datahubRoot,
      statements: queue,
      refreshMs: config.refresh,
      renameMs: defaultRenameMs,
      ensureSources: (platforms) => ensureSources({ db, intakeWarnings }, platforms),
    },
  };
}
