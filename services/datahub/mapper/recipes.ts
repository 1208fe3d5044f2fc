import type { RunStatus } from "#contract/entities.ts";
import type { Item } from "#platform/composed-source/item.ts";
import { integerOf, objectOf, textOf } from "#platform/datahub/values.ts";
import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import { entityCatrn } from "./catrns.ts";
import { idOf, instantOf, metadataOf } from "./common.ts";
import type { EntityFacts } from "./facts.ts";

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

const statuses: Record<string, RunStatus> = {
  SUCCESS: "SUCCESS",
  SUCCEEDED_WITH_WARNINGS: "SUCCESS",
  FAILURE: "FAILED",
  RUNNING: "RUNNING",
  CANCELLED: "ABORTED",
  ABORTED: "ABORTED",
  TIMEOUT: "BROKEN",
};

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
  const word = textOf(result?.status) ?? "RUNNING";
  return [{
    catrn: runCatrn(job, idOf(urn)),
    name: idOf(urn),
    type: "JOB_RUN",
    data_transformer_run: {
      transformer_catrn: job,
      start_time: start,
      ...(end === undefined ? {} : { end_time: end }),
      // lookup-ok -- own members only
      status: Object.hasOwn(statuses, word) ? statuses[word]! : "UNKNOWN",
    },
  }];
}
