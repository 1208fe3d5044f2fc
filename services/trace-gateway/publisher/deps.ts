import type { Metrics } from "#kit/metrics.ts";
import { noBackpressure } from "#platform/composed-source/applied.ts";
import { collectorBatches } from "#platform/composed-source/batches.ts";
import {
  publisherStates,
  type SourceDeps,
  type SourceMetrics,
} from "#platform/composed-source/deps.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { serviceRemovals } from "./store.queries.ts";

export interface PublisherDeps extends SourceDeps {
  metrics: PublisherMetrics;
  config: Config["traces"];
}

export type PublisherContext =
  & Pick<Context, "db" | "events" | "leases" | "wakeups" | "clock" | "log">
  & { metrics: Metrics; config: Config["traces"] };

/**
 * Services are published with the precedence of a collector. Steady traffic publishes nothing, so there is nothing to
 * hold back; and each removal is remembered after its last batch was put into the log.
 */
export function publisherDeps(context: PublisherContext): PublisherDeps {
  const { db, events, clock, log, config } = context;
  return {
    db,
    events,
    clock,
    log,
    config,
    metrics: publisherMetrics(context.metrics),
    backpressure: noBackpressure,
    applied: { until: () => Promise.resolve(null) },
    filtered: false,
    source: {
      system: "OpenTelemetry",
      batches: collectorBatches(config["publish-timeout"]),
      removals: serviceRemovals(config["data-source"]),
    },
  };
}

type PublisherMetrics = ReturnType<typeof publisherMetrics>;

function publisherMetrics(metrics: Metrics) {
  const quarantined = metrics.gauge(
    "tributary_traces_quarantined_subjects",
    "Services and hosts in quarantine, as the publishing process knows them",
  );
  return {
    posted: metrics.counter(
      "tributary_traces_entities_posted_total",
      "Services, calls and groups published in batches",
    ),
    unchanged: metrics.counter(
      "tributary_traces_entities_unchanged_total",
      "Services, calls and groups that were mapped again without a change",
    ),
    expired: metrics.counter(
      "tributary_traces_edges_expired_total",
      "Edges between services and data that were not seen for traces.edge-ttl",
    ),
    cut: metrics.counter(
      "tributary_traces_entities_cut_total",
      "Services composed without some of their edges because an entity cannot hold more",
    ),
    quarantines: metrics.counter(
      "tributary_traces_quarantines_total",
      "Times that a service or host was quarantined because it could not be composed or posted",
    ),
    quarantined,
    ...sourceMetrics(metrics, () => quarantined.set({}, 0)),
  };
}

function sourceMetrics(metrics: Metrics, stoppedLeading: () => void) {
  const deleted = metrics.counter(
    "tributary_traces_entities_deleted_total",
    "Services, calls and groups marked DELETED because none of their edges is left",
  );
  const failures = metrics.counter(
    "tributary_traces_publish_failures_total",
    "Failed rounds of the service publisher",
    ["cause"],
  );
  const states = metrics.gauge(
    "tributary_traces_publisher_state",
    "1 for the current state of the publisher",
    ["state"],
  );
  return {
    removed: (entities: number) => deleted.inc({}, entities),
    failed: (cause: "event_log" | "metadata" | "statistics") => failures.inc({ cause }),
    state(state) {
      // Only who publishes knows how many there are.
      if (state === "standby" || state === "stopped") stoppedLeading();
      for (const each of publisherStates) states.set({ state: each }, each === state ? 1 : 0);
    },
  } satisfies SourceMetrics;
}
