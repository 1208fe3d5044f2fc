import { describe, expect, it } from "vitest";
import { deltaOf } from "../state/events.ts";
import type { DatasetState } from "../state/model.ts";
import { plainKeys } from "../testing/memory.ts";
import { type DatasetFacts, mapDataset } from "./dataset.ts";

const catrn = "//ol/n/datasets/d";

function itemOf(
  kind: DatasetFacts["kind"],
  [namespace, name]: [string, string],
  fields: object[] = [],
) {
  const dataset = { namespace, name, facets: { schema: { fields } } };
  const state = deltaOf({ kind: "dataset", at: 1_000, dataset }, plainKeys).datasets.values()
    .next();
  return mapDataset({ catrn, kind, state: state.value as DatasetState }).items[0]!;
}

describe("a dataset", () => {
  it.each<[DatasetFacts["kind"], string, string, string]>([
    ["FILE", "s3://lake", "copied.csv", "copied.csv"],
    ["FILE", "gs://lake", "/copied.tar.gz", "copied.tar.gz"],
    ["FILE", "abfss://raw@acme.dfs.core.windows.net", "raw/copied.csv", "copied.csv"],
    ["FILE", "file", "/copied.csv", "copied.csv"],
    ["FILE", "hdfs://nn:8020", "part.0001.parquet/", "part.0001.parquet"],
    ["KAFKA_TOPIC", "kafka://b:9092", "orders.placed.v1", "orders.placed.v1"],
    ["TABLE", "https://data.example", "totals.csv", "totals.csv"],
    ["TABLE", "unknown://x", "/totals.csv", "totals.csv"],
    ["TABLE", "unknown://x", "dir/totals.csv", "totals.csv"],
    ["TABLE", "postgres://db:5432", "shop.public.orders", "orders"],
    ["TABLE", "postgres://db:5432", "shop.public.", "shop.public."],
  ])("of kind %s in %s called %s is shown as %s", (kind, namespace, name, shown) => {
    expect(itemOf(kind, [namespace, name]).name).toBe(shown);
  });

  const fieldsOf = (fields: object[]) => itemOf("TABLE", ["n", "d"], fields).dataset!.field_list;
  const within = (name: string, ...fields: object[]) => ({ name, type: "struct", fields });
  const named = (name: string) => ({ name, type: "int" });

  it("has all columns, whatever dots are in their names, in any order", () => {
    const [struct, dotted] = [within("outer", named("inner")), named("outer.inner")];
    const sorted = (fields: object[]) =>
      fieldsOf(fields).map((
        { catrn: own, name, parent_field_catrn },
      ) => [own, name, parent_field_catrn])
        .sort();
    const root = `${catrn}/columns`;
    const wanted = [
      [`${root}/outer`, "outer", undefined],
      [`${root}/outer.inner`, "outer.inner", undefined],
      [`${root}/outer/fields/inner`, "inner", `${root}/outer`],
    ];
    expect(sorted([struct, dotted])).toEqual(wanted);
    expect(sorted([dotted, struct])).toEqual(wanted);
    const deep = [within("a", within("b", named("c")), named("b.c")), within("a.b", named("c"))];
    expect(sorted(deep)).toHaveLength(6);
    expect(new Set(sorted(deep).map(([own]) => own)).size).toBe(6);
    expect(sorted(deep.toReversed())).toEqual(sorted(deep));
  });

  it("has a column once that is given twice", () => {
    expect(fieldsOf([named("a"), named("a"), named("b")]).map(({ name }) => name)).toEqual([
      "a",
      "b",
    ]);
  });
});
