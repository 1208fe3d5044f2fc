import { own } from "#kit/own.ts";
import { type Facets, objectOf, textOf, valueOf } from "../state/facets.ts";
import type { IoState, Side } from "../state/model.ts";
import { effectiveIo } from "../state/runs.ts";
import { compare } from "../state/states.ts";
import type { RunFacts } from "./facts.ts";
import { type Metadata, metadataOf, nameText, tagsOf } from "./item.ts";

/** Maximum number of datasets of a side whose versions, or statistics, are listed for a run. */
export const maxListedDatasets = 50;

/** What is known of a run apart from its outcome. */
export function runMetadata(facts: RunFacts): { metadata?: Metadata } {
  const { facets } = facts.run.state;
  const text = (facet: string, member: string) => textOf(valueOf(facets, facet), member);
  return metadataOf({
    ...parentOf(facets),
    nominal_start_time: text("nominalTime", "nominalStartTime"),
    nominal_end_time: text("nominalTime", "nominalEndTime"),
    engine: text("processing_engine", "name"),
    engine_version: text("processing_engine", "version"),
    openlineage_adapter_version: text("processing_engine", "openlineageAdapterVersion"),
    external_query_id: text("externalQuery", "externalQueryId"),
    external_query_source: text("externalQuery", "source"),
    tags: tagsOf(valueOf(facets, "tags")).tags?.map(({ name }) => name),
    ...extractionOf(valueOf(facets, "extractionError")),
    input_versions: entriesOf(facts, "inputs", versionOf),
    output_versions: entriesOf(facts, "outputs", versionOf),
    input_statistics: entriesOf(facts, "inputs", (io) => statisticsText(io, "inputStatistics")),
    output_statistics: entriesOf(facts, "outputs", (io) => statisticsText(io, "outputStatistics")),
  });
}

/** The run, and its job, that started this one. */
function parentOf(facets: Facets) {
  const parent = valueOf(facets, "parent");
  return {
    parent_run: textOf(objectOf(parent?.run), "runId"),
    parent_job: nameText(objectOf(parent?.job)),
  };
}

/** How much of a run its producer could not read. */
function extractionOf(facet: Record<string, unknown> | undefined) {
  const whole = (name: string) => {
    const value = facet && own(facet, name);
    return Number.isSafeInteger(value) ? value : undefined;
  };
  return {
    extraction_failed_tasks: whole("failedTasks"),
    extraction_total_tasks: whole("totalTasks"),
  };
}

/** Entries for the datasets of a side, each prefixed with its CATRN. */
function entriesOf(
  { run, catrnOf }: RunFacts,
  side: Side,
  entryOf: (io: IoState) => string | undefined,
): string[] | undefined {
  const texts = effectiveIo(run, side).flatMap((io) => {
    const text = entryOf(io);
    return text === undefined ? [] : [`${catrnOf(io.key)} ${text}`];
  });
  return texts.length === 0
    ? undefined
    : [...new Set(texts)].sort(compare).slice(0, maxListedDatasets);
}

function versionOf({ facets }: IoState): string | undefined {
  return textOf(valueOf(facets, "version"), "datasetVersion");
}

/** Such as `100 rows, 2048 bytes, 1 files`. */
function statisticsText({ facets }: IoState, facet: string): string | undefined {
  const statistics = Object.entries(statisticsIn(facets, facet));
  if (statistics.length === 0) return undefined;
  return statistics.map(([unit, value]) => `${value} ${unit}`).join(", ");
}

const members = [["rowCount", "rows"], ["size", "bytes"], ["fileCount", "files"]] as const;

/** The figures of a facet of statistics, by their unit. */
export function statisticsIn(
  facets: Facets,
  facet: string,
): Partial<Record<(typeof members)[number][1], number>> {
  const given = valueOf(facets, facet);
  const known = members.flatMap(([member, unit]) => {
    const value = given && own(given, member);
    return Number.isSafeInteger(value) ? [[unit, value as number]] : [];
  });
  return Object.fromEntries(known);
}
