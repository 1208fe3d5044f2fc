import { expect, it } from "vitest";
import { faults, item, list } from "#test/support/seed/batches.ts";
import { parseDataEntityList } from "./batch.ts";
import { maxColumnEdges } from "./limits.ts";

const sources = (count: number) => Array.from({ length: count }, () => ({ dataset_catrn: "s" }));
const entry = (count: number, field?: unknown) => ({
  target: { dataset_catrn: "t", field },
  sources: sources(count),
});
const job = (column_lineage: unknown) =>
  list({
    ...item({ type: "JOB" }),
    dataset: undefined,
    data_transformer: { inputs: [], outputs: [], column_lineage },
  });
const at = (column_lineage: unknown) =>
  faults(job(column_lineage)).map((fault) =>
    fault.split(": ")[0]!.replace("items[0].data_transformer.column_lineage", "…")
  );

it("is absent, empty, or names targets with their sources; null is no field", () => {
  for (const given of [undefined, null, [], [entry(1)], [entry(1, null)], [entry(0, "a")]]) {
    expect(at(given)).toEqual([]);
  }
  const [read] = parseDataEntityList(job([entry(1, null)])).items;
  expect(read!.data_transformer!.column_lineage![0]!.target).toEqual({ dataset_catrn: "t" });
});

it("names the place that is wrong", () => {
  expect(at([entry(1), { target: { dataset_catrn: "t" } }])).toEqual(["…[1].sources"]);
  expect(at([entry(1, "")])).toEqual(["…[0].target.field"]);
  expect(at([entry(1, "ü".repeat(501))])).toEqual(["…[0].target.field"]);
  const odd = { ...entry(0), sources: [{ dataset_catrn: "s", type: "MAYBE" }] };
  expect(at([odd])).toEqual(["…[0].sources[0].type"]);
});

it("takes 50,000 sources an item, however they are spread, and names the entry with one more", () => {
  expect(at([entry(maxColumnEdges - 1), entry(1)])).toEqual([]);
  expect(at([entry(maxColumnEdges - 1), entry(1), entry(1)])).toEqual(["…[2].sources"]);
  expect(at([entry(maxColumnEdges + 1)])).toEqual(["…[0].sources"]);
});
