import { describe, expect, it } from "vitest";
import { accessBench, accessSizes } from "./access/bench.ts";
import { catalogueBench, catalogueSizes } from "./catalogue/bench.ts";
import { columnsBench, columnsSizes } from "./columns/bench.ts";
import { hostileBench, hostileSizes } from "./hostile/bench.ts";
import { besideBench } from "./ingest/beside.ts";
import { mcpBench, mcpSizes } from "./mcp/bench.ts";
import { expectFigures } from "./support/expect-figures.ts";
import { timeBench, timeSizes } from "./time/bench.ts";
import { webBench, webSizes } from "./web/bench.ts";

describe("benchmarks of the API process, which engines do not change", () => {
  const engines = "embedded";

  it("beside measures this checkout beside another one, which here is this one too", async () => {
    const checkout = new URL("..", import.meta.url).pathname;
    const rows = await besideBench({ engines, checkout, size: 5, rounds: 1, inFlight: 2 });
    expectFigures(rows, engines, 3);
  });

  it("hostile measures every honest client with and without the hostile one", async () => {
    expectFigures(await hostileBench(engines, hostileSizes.small), engines, 5);
  });

  it("catalogue measures every operation beside its statements, in two sizes", async () => {
    expectFigures(await catalogueBench(engines, catalogueSizes.small), engines, 40);
  });

  it("columns measures every case beside a bare query that finds the same", async () => {
    expectFigures(await columnsBench(engines, columnsSizes.small), engines, 2);
  });

  it("mcp measures tools beside the operations that tell the same", async () => {
    expectFigures(await mcpBench(engines, mcpSizes.small), engines, 5);
  });

  it("time measures walks of the past beside those of today", async () => {
    expectFigures(await timeBench(engines, timeSizes.small), engines, 4);
  });

  it("access measures every kind of caller beside a catalogue that signs nobody in", async () => {
    expectFigures(await accessBench(engines, accessSizes.small), engines, 5);
  });
});

describe("benchmark of the interface", () => {
  it("web measures our layout, and installs nothing for the small size", async () => {
    expect(webSizes.small.yardsticks).toBe(false);
    expectFigures(await webBench(webSizes.small), "embedded", 2);
  });
});
