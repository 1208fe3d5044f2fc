import { describe, expect, it } from "vitest";
import { engineSets } from "#test/support/instance.ts";
import { ingestBench, ingestSizes } from "./ingest/bench.ts";
import { lineageBench, lineageSizes } from "./lineage/bench.ts";
import { type Row, table } from "./support/report.ts";

/** That they run and measure; how fast, only an idle machine can tell. */
function expectFigures(rows: Row[], engines: string): void {
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    expect(row.engines).toBe(engines);
    expect(row.ours, row.case).toSatisfy((figure: number) => Number.isFinite(figure) && figure > 0);
    if (row.yardstick !== null) expect(Number.isFinite(row.ratio), row.case).toBe(true);
  }
  expect(table(rows).split("\n")).toHaveLength(rows.length + 1);
}

describe.each(engineSets())("benchmarks, %s engines", (engines) => {
  it("lineage measures every case beside its yardstick", async () => {
    expectFigures(await lineageBench(engines, lineageSizes.small), engines);
  });

  it("ingest measures every case, and both sides write the same rows", async () => {
    expectFigures(await ingestBench(engines, ingestSizes.small), engines);
  });
});
