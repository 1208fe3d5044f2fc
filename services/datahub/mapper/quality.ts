import type { RunStatus } from "#contract/entities.ts";
import { own } from "#kit/own.ts";
import type { Item } from "#platform/items.ts";
import { objectOf, type RawObject, textOf, textsOf } from "#platform/datahub/values.ts";
import { fieldOf } from "#platform/naming/datahub/urn.ts";
import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import { entityCatrn, type EntityFacts, reportedPlatform } from "./facts.ts";
import { catrnsOf, idOf, instantOf, metadataOf } from "./common.ts";
import { plainPath } from "./fields.ts";

/** What of an assertion says which dataset it concerns, and how. */
const details = ["datasetAssertion", "fieldAssertion", "volumeAssertion", "freshnessAssertion"]
  .concat(["sqlAssertion", "schemaAssertion", "customAssertion"]);

/** An assertion as a test, with what came of it. */
export function mapAssertion(facts: EntityFacts): Item[] {
  const { aspects, names, urn } = facts;
  const info = aspects.get("assertionInfo");
  if (!info) return [];
  const detail = details.map((name) => objectOf(own(info, name))).find((one) => one !== undefined);
  const dataset = textOf(detail?.dataset) ?? textOf(detail?.entity);
  const datasets = dataset === undefined ? [] : catrnsOf([dataset], names);
  if (datasets.length === 0) return [];
  const catrn = entityCatrn(urn, aspects)!;
  const column = columnOf(detail);
  const type = textOf(detail?.nativeType) ?? textOf(detail?.operator) ?? textOf(info.type) ??
    "assertion";
  const description = textOf(info.description);
  const test: Item = {
    catrn,
    name: description ?? (column === undefined ? type : `${type} ${column}`),
    type: "JOB",
    ...(description === undefined ? {} : { description }),
    ...metadataOf(facts, info),
    data_quality_test: {
      suite_name: reportedPlatform(aspects),
      dataset_list: datasets,
      expectation: { type, category: "ASSERTION", ...(column === undefined ? {} : { column }) },
    },
  };
  return [test, ...runsOf(catrn, facts)];
}

function columnOf(detail: RawObject | undefined): string | undefined {
  const [first] = textsOf(detail?.fields);
  const field = first === undefined ? undefined : fieldOf(first);
  if (field) return plainPath(field.path);
  const values = objectOf(detail?.fieldValuesAssertion) ?? objectOf(detail?.fieldMetricAssertion);
  return textOf(objectOf(values?.field)?.path);
}

const results = new Map<string, RunStatus>([
  ["SUCCESS", "SUCCESS"],
  ["FAILURE", "FAILED"],
  ["ERROR", "BROKEN"],
]);

function runsOf(test: string, { entries }: EntityFacts): Item[] {
  const events = (entries.get("assertionRunEvent") ?? []).filter(({ value }) =>
    value.status === "COMPLETE"
  );
  return events.flatMap(({ time, value }): Item[] => {
    const at = instantOf(time);
    const result = objectOf(value.result);
    if (at === undefined) return [];
    const id = textOf(value.runId) ?? String(time);
    const reason = textOf(objectOf(result?.nativeResults)?.message) ?? textOf(result?.externalUrl);
    return [{
      catrn: runCatrn(test, `${id} ${time}`),
      name: idOf(id),
      type: "JOB_RUN",
      data_quality_test_run: {
        data_quality_test_catrn: test,
        start_time: at,
        end_time: at,
        status: results.get(textOf(result?.type) ?? "") ?? "UNKNOWN",
        ...(reason === undefined ? {} : { status_reason: reason.slice(0, 1_000).toWellFormed() }),
      },
    }];
  });
}
