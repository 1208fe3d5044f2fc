import { expect, it } from "vitest";
import { items, job, runEvent, t, table, uuid } from "../testing/cases.ts";
import type { InputEvent } from "../state/model.ts";
import { maxListedDatasets } from "./run-metadata.ts";

const metadataOf = (events: InputEvent[]) =>
  items(events).get(`${job("j")}/runs/${uuid(1)}`)!.metadata?.at(0)?.metadata;

it("a run tells what started it, when it was meant to run, by what, and what it could not read", () => {
  const facets = {
    parent: { run: { runId: "p1" }, job: { namespace: "n", name: "dag" } },
    nominalTime: {
      nominalStartTime: "2026-01-01T00:00:00Z",
      nominalEndTime: "2026-01-02T00:00:00Z",
    },
    processing_engine: { name: "spark", version: "3.5", openlineageAdapterVersion: "1.40" },
    externalQuery: { externalQueryId: "q1", source: "bigquery" },
    extractionError: { totalTasks: 3, failedTasks: 1, errors: [] },
    tags: { tags: [{ key: "team", value: "pilots" }, { key: "nightly", value: "true" }] },
  };
  expect(metadataOf([runEvent("START", 1, { facets })])).toEqual({
    parent_run: "p1",
    parent_job: "n/dag",
    nominal_start_time: "2026-01-01T00:00:00Z",
    nominal_end_time: "2026-01-02T00:00:00Z",
    engine: "spark",
    engine_version: "3.5",
    openlineage_adapter_version: "1.40",
    external_query_id: "q1",
    external_query_source: "bigquery",
    extraction_failed_tasks: 1,
    extraction_total_tasks: 3,
    tags: ["nightly", "team:pilots"],
  });
});

it("a run tells versions and figures of what it read and wrote, of the first datasets", () => {
  const inputFacets = { inputStatistics: { rowCount: 7, size: 512 } };
  const outputFacets = { outputStatistics: { rowCount: 5, fileCount: 2 } };
  const inputs = [{ ...t("a", { version: { datasetVersion: "v1" } }), inputFacets }, t("b")];
  const outputs = [{ ...t("o", { version: { datasetVersion: "v2" } }), outputFacets }];
  expect(metadataOf([runEvent("COMPLETE", 1, { inputs, outputs })])).toEqual({
    input_versions: [`${table("a")} v1`],
    output_versions: [`${table("o")} v2`],
    input_statistics: [`${table("a")} 7 rows, 512 bytes`],
    output_statistics: [`${table("o")} 5 rows, 2 files`],
  });
  const many = Array.from({ length: 60 }, (_, n) => ({ ...t(`m${n}`), inputFacets }));
  const { input_statistics } = metadataOf([runEvent("COMPLETE", 1, { inputs: many })]) as {
    input_statistics: string[];
  };
  expect(input_statistics).toHaveLength(maxListedDatasets);
});

it("a run of which nothing else is known has no metadata", () => {
  expect(metadataOf([runEvent("START", 1)])).toBeUndefined();
});
