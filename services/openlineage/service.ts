import { Complaints } from "#metadata/openlineage/complaints.ts";
import { Memo } from "#kit/memo.ts";
import type { Context } from "#platform/context.ts";
import { namingMemory } from "#platform/naming/memory.ts";
import { jobCatrn } from "#platform/naming/openlineage/catrns.ts";
import { catrnsOf } from "#platform/naming/openlineage/rules.ts";
import { type NamingSettings, namingSettings } from "#platform/naming/openlineage/settings.ts";
import type { Service } from "#platform/service.ts";
import { AppliedBatches } from "./composer/applied.ts";
import { AppliedPace } from "./composer/pace.ts";
import type { ComposerParts } from "./composer/parts.ts";
import { Composer } from "./composer/worker.ts";
import { kafkaSourceWorkers } from "./kafka-source/worker.ts";
import { Inflow } from "./inflow.ts";
import { mergerWorker } from "./merger.ts";
import { OpenLineageMetrics } from "./metrics.ts";
import { separator } from "./state/delta.ts";
import { contentHashes } from "./state/facets.ts";
import type { Keys, Name } from "./state/model.ts";

/** Merges OpenLineage events, and posts what they tell of as batches of ingestion. */
export const openLineageService: Service = {
  name: "openlineage",
  create(context) {
    if (!context.config.openlineage.enabled) return { routes: [], workers: [] };
    const parts = composerParts(context);
    const composer = new Composer(parts);
    const merger = mergerWorker({
      ...parts,
      registry: context.metrics,
      merged: (traceparent) => composer.wake(traceparent),
    });
    const workers = [...kafkaSourceWorkers(context), merger, composer];
    return { routes: [], workers, drain: () => parts.complaints.flush() };
  },
};

/** What the workers of one process share. */
export function composerParts(context: Context): ComposerParts {
  const { db, events, clock, metrics } = context;
  const log = context.log.with({ service: "openlineage" });
  const naming = namingSettings(context.config.openlineage);
  const names = nameMemo();
  const memos = { "openlineage-names": names, "openlineage-hashes": contentHashes };
  return {
    db,
    events,
    clock,
    log,
    metrics: new OpenLineageMetrics(metrics, memos),
    complaints: new Complaints({ db, clock, log, metrics }),
    config: context.config.openlineage,
    naming,
    memory: namingMemory({ clock, metrics }),
    keys: keysBy(naming, names),
    inflow: new Inflow(clock, context.batchesInHand),
    pace: new AppliedPace({ db, clock }),
    applied: new AppliedBatches({ db, events, clock, log }),
  };
}

/** Names as keys, by the rules of the configuration; they are kept in `memo`. */
export function keysBy(naming: NamingSettings, memo: Memo<string> = nameMemo()): Keys {
  return {
    job: (name) => jobCatrn(name, naming),
    dataset: (name) => memo.get(textOf(name), () => catrnsOf(name, naming).catrn),
  };
}

/** Most characters of names of which is kept what they stand for: events name the same tables again and again. */
export const maxNamedCharacters = 2_000_000;

function nameMemo(): Memo<string> {
  return new Memo<string>({ maxCharacters: maxNamedCharacters, longest: 1_000 });
}

function textOf({ namespace, name }: Name): string {
  return [namespace, name].join(separator);
}
