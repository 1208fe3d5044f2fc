import { Memo } from "#kit/memo.ts";
import { queueDeps } from "#platform/composed-source/queue.ts";
import type { Context } from "#platform/context.ts";
import { namingMemory } from "#platform/naming/catalogue.ts";
import { catrnsOf, jobCatrn } from "#platform/naming/openlineage/catrns.ts";
import { type NamingSettings, namingSettings } from "#platform/naming/openlineage/settings.ts";
import type { Service } from "#platform/service.ts";
import { namespaceSources, type PublisherDeps } from "./publisher/deps.ts";
import { queue } from "./publisher/rows.queries.ts";
import { lineagePublisher } from "./publisher/worker.ts";
import { kafkaSourceWorkers } from "./kafka-source/worker.ts";
import { IntakeThrottle } from "./intake-throttle.ts";
import { mergerWorker } from "./merger.ts";
import { openLineageMetrics } from "./metrics.ts";
import { separator } from "./state/states.ts";
import { contentHashes } from "./state/facets.ts";
import type { Keys, Name } from "./state/model.ts";

/** Merges OpenLineage events, and posts the result as ingestion batches. */
export const openLineageService: Service = {
  name: "openlineage",
  create(context) {
    if (!context.config.openlineage.enabled) return { routes: [], workers: [] };
    const deps = publisherDeps(context);
    const publisher = lineagePublisher(deps);
    const merger = mergerWorker({
      ...deps,
      registry: context.metrics,
      merged: (traceparent) => publisher.wake(traceparent),
    });
    const workers = [...kafkaSourceWorkers(context), merger, publisher];
    return { routes: [], workers, drain: () => deps.intakeWarnings.flush() };
  },
};

/** What the workers of one process share. */
export function publisherDeps(context: Context): PublisherDeps {
  const { clock, metrics } = context;
  const naming = namingSettings(context.config.openlineage);
  const names = nameMemo();
  const memos = { "openlineage-names": names, "openlineage-hashes": contentHashes };
  const config = context.config.openlineage;
  return {
    ...queueDeps(context, {
      service: "openlineage",
      metrics: openLineageMetrics(metrics, memos),
      statements: queue,
      naming: namespaceSources(config["max-namespaces"]),
      refreshMs: config.refresh,
    }),
    config,
    naming,
    memory: namingMemory({ clock, metrics }),
    keys: keysBy(naming, names),
    throttle: new IntakeThrottle(clock, context.batchesInFlight),
  };
}

/** Names as keys, by the rules of the configuration; they are stored in `memo`. */
export function keysBy(naming: NamingSettings, memo: Memo<string> = nameMemo()): Keys {
  return {
    job: (name) => jobCatrn(name, naming),
    dataset: (name) => memo.get(textOf(name), () => catrnsOf(name, naming).catrn),
  };
}

/** Maximum total length of cached names: events name the same tables again and again. */
export const maxNamedCharacters = 2_000_000;

function nameMemo(): Memo<string> {
  return new Memo<string>({ maxCharacters: maxNamedCharacters, longest: 1_000 });
}

function textOf({ namespace, name }: Name): string {
  return [namespace, name].join(separator);
}
