import { describe, expect, it } from "vitest";
import { keyOf } from "./record.ts";
import { maxDatasets, maxFields, maxTextBytes } from "./limits.ts";
import {
  accepted,
  eventOf,
  outputWith,
  refusalOf,
  runWith,
  warningsOf,
} from "./testing/acceptance.ts";
import { datasetEvent, jobEvent, smallRunEvent } from "./testing/samples.ts";

describe("bounds", () => {
  const datasets = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ namespace: "n", name: `${i}` }));

  it("1,001 inputs: the first thousand are taken", () => {
    const value = runWith({ inputs: datasets(maxDatasets + 1) });
    expect(eventOf(value).inputs).toHaveLength(maxDatasets);
    expect(warningsOf(value)).toEqual(["inputs: too_many"]);
    expect(warningsOf(runWith({ inputs: datasets(maxDatasets) }))).toEqual([]);
  });

  it("5,001 fields, nested ones counted", () => {
    const nested = Array.from({ length: 3_000 }, (_, i) => ({ name: `n${i}` }));
    const fields = [{ name: "a", fields: nested }, { name: "b", fields: nested }];
    const value = outputWith({ facets: { schema: { fields } } });
    const taken = eventOf(value).outputs[0].facets.schema.fields;
    const count = taken.reduce(
      (n: number, field: { fields: [] }) => n + 1 + field.fields.length,
      0,
    );
    expect(count).toBe(maxFields);
    expect(warningsOf(value)).toEqual(["outputs[0].facets.schema.fields: too_many"]);
  });

  it("nesting of more than 32: what lies deeper is left out", () => {
    let fields: object[] = [{ name: "deepest" }];
    for (let i = 0; i < 40; i++) fields = [{ name: "f", fields }];
    const value = outputWith({ facets: { schema: { fields } } });
    const retained = eventOf(value);
    expect(depthOf(retained)).toBeLessThanOrEqual(32);
    expect(depthOf(retained)).toBeGreaterThan(28);
    expect(accepted(value).warnings.map(({ reason }) => reason)).toEqual(["too_deep"]);
  });

  it("nesting of what is not kept costs nothing", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5_000; i++) deep = { deep };
    expect(warningsOf(runWith({ custom: deep, run: { runId: "r", facets: { custom: deep } } })))
      .toEqual([]);
  });

  it("long texts are cut at a whole character, and long names refused", () => {
    const query = "ü".repeat(maxTextBytes);
    const value = runWith({ job: { namespace: "n", name: "j", facets: { sql: { query } } } });
    expect(eventOf(value).job.facets.sql.query).toBe("ü".repeat(maxTextBytes / 2));
    expect(warningsOf(value)).toEqual(["job.facets.sql.query: cut"]);
    expect(refusalOf(runWith({ job: { namespace: "n".repeat(1_001), name: "j" } })))
      .toBe("job.namespace: must be at most 1000 bytes of UTF-8");
    expect(refusalOf(runWith({ job: { namespace: "n", name: "j".repeat(1_501) } })))
      .toBe("job.name: must be at most 1500 bytes of UTF-8");
  });

  it("of very many faults all are counted and the first are listed", () => {
    const { warnings, dropped } = accepted(runWith({ inputs: Array(1_000).fill(5) }));
    expect([warnings.length, dropped.get("invalid")]).toEqual([100, 1_000]);
  });
});

describe("keyOf, as the clients' own transports", () => {
  const key = (value: unknown) => keyOf(accepted(value).event);
  const parent = { run: { runId: "p" }, job: { namespace: "a", name: "dag" } };
  const root = { run: { runId: "r" }, job: { namespace: "a", name: "all" } };
  const below = (facet: object) => runWith({ run: { runId: "r", facets: { parent: facet } } });

  it("of a run: root, else parent, else the job", () => {
    expect(key(smallRunEvent())).toBe("run:airflow/daily.totals");
    expect(key(below(parent))).toBe("run:a/dag");
    expect(key(below({ ...parent, root }))).toBe("run:a/all");
    expect(key(below({ _deleted: true }))).toBe("run:airflow/daily.totals");
  });

  it("of jobs and datasets: themselves", () => {
    expect(key(jobEvent())).toBe("job:airflow/daily.totals");
    expect(key(datasetEvent())).toBe(
      "dataset:postgres://warehouse.example:5432/shop.public.orders",
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
