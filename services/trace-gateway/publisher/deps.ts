import type { Metrics } from "#kit/metrics.ts";
import { noBackpressure } from "#platform/composed-source/backpressure.ts";
import { collectorBatches } from "#platform/composed-source/batches.ts";
import type { SourceDeps } from "#platform/composed-source/deps.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { type PublisherMetrics, publisherMetrics } from "./metrics.ts";
import { serviceRemovals } from "./store.queries.ts";

/** What the publisher works with. */
export interface PublisherDeps extends SourceDeps {
  metrics: PublisherMetrics;
  config: Config["traces"];
}

/** What the dependencies of the publisher are made of. */
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
