import { describe, expect, it } from "vitest";
import { columnsBench, columnsSizes } from "./columns/bench.ts";
import { sqlBench, sqlSizes } from "./sql/bench.ts";
import { expectFigures } from "./support/expect-figures.ts";

/** The short ones, which run all that benchmarks share; `npm run test:long` also runs `all.test.ts`. */
describe("benchmarks in their small size", () => {
  const engines = "embedded";

  it("columns measures every case beside a bare query that finds the same", async () => {
    expectFigures(await columnsBench(engines, columnsSizes.small), engines, 2);
  });

  it("sql measures how well and how fast columns are read, and installs nothing for the small size", () => {
    expect(sqlSizes.small.peers).toBe(false);
    expectFigures(sqlBench(sqlSizes.small), engines, 7);
  });
});
