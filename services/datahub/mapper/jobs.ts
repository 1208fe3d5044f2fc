import type { RunStatus } from "#contract/entities.ts";
import { integerOf, objectOf, type RawObject, textOf } from "#platform/datahub/values.ts";
import type { Item } from "#platform/items.ts";
import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import {
  catrnsOf,
  describedBy,
  idOf,
  instantOf,
  marksOf,
  maxValues,
  metadataOf,
  urnsOf,
} from "./common.ts";
import { entityCatrn, type EntityFacts, type Names } from "./facts.ts";
import { columnLineage } from "./lineage.ts";

/** A job, with what it reads and writes. */
export function mapJob(facts: EntityFacts): Item[] {
  const { aspects, names } = facts;
  const info = aspects.get("dataJobInfo");
  const io = aspects.get("dataJobInputOutput");
  const inputs = [
    ...urnsOf(io?.inputDatasets, "dataset"),
    ...urnsOf(io?.inputDatasetEdges, "dataset"),
    ...urnsOf(io?.inputDatajobs, "dataJob"),
    ...urnsOf(io?.inputDatajobEdges, "dataJob"),
  ];
  const outputs = [
    ...urnsOf(io?.outputDatasets, "dataset"),
    ...urnsOf(io?.outputDatasetEdges, "dataset"),
  ];
  const [step] = transforms(facts);
  return [{
    catrn: entityCatrn(facts.urn, aspects)!,
    name: textOf(info?.name) ?? idOf(facts.urn),
    type: "JOB",
    ...describedBy(aspects.get("editableDataJobProperties"), info),
    ...marksOf(facts),
    ...metadataOf(facts, info, {
      job_type: textOf(objectOf(info?.type)?.string) ?? textOf(info?.type),
    }),
    data_transformer: {
      inputs: catrnsOf(inputs, names),
      outputs: catrnsOf(outputs, names),
      ...(step === undefined ? {} : { sql: step }),
      ...columnLineage(io?.fineGrainedLineages, names),
    },
  }];
}

/** Statements of a job, as it reports how it transforms. */
function transforms({ aspects }: EntityFacts): string[] {
  const list = aspects.get("dataTransformLogic")?.transforms;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => textOf(objectOf(objectOf(one)?.queryStatement)?.value) ?? []);
}

/**
 * A run of a job, of a flow, or of a dataset that is built without one. Of one that does not name it, that of the first
 * dataset that it wrote; nothing if it wrote none.
 */
export function mapRun(facts: EntityFacts): Item[] {
  const { aspects, entries, names, urn } = facts;
  const read = dataOf(aspects.get("dataProcessInstanceInput"), "input", names);
  const written = dataOf(aspects.get("dataProcessInstanceOutput"), "output", names);
  const template = textOf(aspects.get("dataProcessInstanceRelationships")?.parentTemplate);
  const job = template === undefined ? written[0] : names.catrnOf(template);
  if (job === undefined) return [];
  const properties = aspects.get("dataProcessInstanceProperties");
  const events = entries.get("dataProcessInstanceRunEvent") ?? [];
  const ended = events.find(({ value }) => value.status === "COMPLETE");
  const begun = events.findLast(({ value }) => value.status === "STARTED");
  const created = integerOf(objectOf(properties?.created)?.time);
  const start = instantOf(begun?.time ?? created ?? ended?.time);
  if (start === undefined) return [];
  const result = objectOf(ended?.value.result);
  const end = instantOf(ended?.time);
  return [{
    catrn: runCatrn(job, idOf(urn)),
    name: textOf(properties?.name) ?? idOf(urn),
    type: "JOB_RUN",
    ...metadataOf(facts, properties, {
      read: read.length === 0 ? undefined : read,
      written: written.length === 0 ? undefined : written,
    }),
    data_transformer_run: {
      transformer_catrn: job,
      start_time: start,
      ...(end === undefined ? {} : { end_time: end }),
      status: ended ? runStatuses.get(textOf(result?.type) ?? "") ?? "UNKNOWN" : "RUNNING",
    },
  }];
}

/** By the result of a run; of any other it is unknown. */
const runStatuses = new Map<string, RunStatus>([
  ["SUCCESS", "SUCCESS"],
  ["FAILURE", "FAILED"],
  ["SKIPPED", "SKIPPED"],
  ["UP_FOR_RETRY", "BROKEN"],
]);

/** CATRNs of the datasets that a run read or wrote. */
function dataOf(aspect: RawObject | undefined, which: "input" | "output", names: Names): string[] {
  const urns = [
    ...urnsOf(aspect?.[`${which}s`], "dataset"),
    ...urnsOf(aspect?.[`${which}Edges`], "dataset"),
  ];
  return catrnsOf(urns, names).slice(0, maxValues);
}

/** A recipe that ran, as a job without inputs and outputs: what it collected names its platform. */
export function mapRecipe(facts: EntityFacts): Item[] {
  const info = facts.aspects.get("dataHubIngestionSourceInfo");
  if (!info) return [];
  return [{
    catrn: entityCatrn(facts.urn, facts.aspects)!,
    name: textOf(info.name) ?? idOf(facts.urn),
    type: "JOB",
    ...metadataOf(facts, undefined, { source_type: textOf(info.type) }),
    data_transformer: { inputs: [], outputs: [] },
  }];
}

/** By the status of a run of a recipe; of any other it is unknown. */
const executionStatuses = new Map<string, RunStatus>([
  ["SUCCESS", "SUCCESS"],
  ["SUCCEEDED_WITH_WARNINGS", "SUCCESS"],
  ["FAILURE", "FAILED"],
  ["RUNNING", "RUNNING"],
  ["CANCELLED", "ABORTED"],
  ["ABORTED", "ABORTED"],
  ["TIMEOUT", "BROKEN"],
]);

/** A run of a recipe; nothing for one that does not name its recipe. */
export function mapExecution({ aspects, names, urn }: EntityFacts): Item[] {
  const input = aspects.get("dataHubExecutionRequestInput");
  const result = aspects.get("dataHubExecutionRequestResult");
  const recipe = textOf(objectOf(input?.source)?.ingestionSource);
  const job = recipe === undefined ? undefined : names.catrnOf(recipe);
  const began = integerOf(result?.startTimeMs) ?? integerOf(input?.requestedAt);
  const start = instantOf(began);
  if (job === undefined || start === undefined) return [];
  const duration = integerOf(result?.durationMs);
  const end = duration === undefined ? undefined : instantOf(began! + duration);
  return [{
    catrn: runCatrn(job, idOf(urn)),
    name: idOf(urn),
    type: "JOB_RUN",
    data_transformer_run: {
      transformer_catrn: job,
      start_time: start,
      ...(end === undefined ? {} : { end_time: end }),
      status: executionStatuses.get(textOf(result?.status) ?? "RUNNING") ?? "UNKNOWN",
    },
  }];
}
