import { describe, expect, it } from "vitest";
import { engineSets } from "#test/support/engines/instance.ts";
import { serviceNames } from "../tools/services.mjs";
import { accessBench, accessSizes } from "./access/bench.ts";
import { alertsBench, alertsSizes } from "./alerts/bench.ts";
import { catalogueBench, catalogueSizes } from "./catalogue/bench.ts";
import { datahubBench, datahubSizes } from "./datahub/bench.ts";
import { hostileBench, hostileSizes } from "./hostile/bench.ts";
import { hostileCallersBench } from "./hostile/callers.ts";
import { idleBench, idleSizes } from "./idle/bench.ts";
import { sideBySideBench } from "./ingest/side-by-side.ts";
import { ingestBench, ingestSizes } from "./ingest/bench.ts";
import { lineageBench, lineageSizes } from "./lineage/bench.ts";
import { mcpBench, mcpSizes } from "./mcp/bench.ts";
import { openLineageBench, openLineageSizes } from "./openlineage/bench.ts";
import { expectFigures } from "./support/expect-figures.ts";
import { timeBench, timeSizes } from "./time/bench.ts";
import { tracesBench, tracesSizes } from "./traces/bench.ts";
import { webBench, webSizes } from "./web/bench.ts";

describe.each(engineSets())("benchmarks in their small size, %s engines", (engines) => {
  it("lineage measures every case beside its yardstick", async () => {
    expectFigures(await lineageBench(engines, lineageSizes.small), engines);
  });

  it("ingest measures every case, and both sides write the same rows", async () => {
    expectFigures(await ingestBench(engines, ingestSizes.small), engines);
  });

  it("traces measures every case, from acceptance to edges", async () => {
    expectFigures(await tracesBench(engines, tracesSizes.small), engines);
  });

  it("openlineage measures every case, from acceptance to the catalogue, and a flood", async () => {
    expectFigures(await openLineageBench(engines, openLineageSizes.small), engines, 12);
  });

  it("datahub measures every case, from acceptance to the catalogue, and a flood", async () => {
    expectFigures(await datahubBench(engines, datahubSizes.small), engines, 5);
  });

  it("idle measures CPU and memory of every process", async () => {
    const rows = await idleBench(engines, idleSizes.small);
    const cases = rows.map((row) => row.case);
    const processes = engines === "embedded"
      ? ["single process", "gRPC receiver", "PostgreSQL"]
      : serviceNames.filter((name) => name !== "all")
        .flatMap((name) => name === "trace-gateway" ? [name, "gRPC receiver"] : [name]);
    expect(cases).toEqual([
      "CPU, all processes but engines",
      ...processes.map((name) => `CPU, ${name}`),
      ...processes.map((name) => `memory, ${name}`),
    ]);
    for (const { ours, unit, case: name } of rows) {
      expect(ours, name).toBeGreaterThanOrEqual(unit === "MB" ? 1 : 0);
    }
  });

  it("alerts measures every case beside a bare reader", async () => {
    expectFigures(await alertsBench(engines, alertsSizes.small), engines, 5);
  });
});

describe("benchmarks of the API process, which engines do not change", () => {
  const engines = "embedded";

  it("beside measures this checkout beside another one, which here is this one too", async () => {
    const checkout = new URL("..", import.meta.url).pathname;
    const rows = await sideBySideBench({ engines, checkout, size: 5, rounds: 1, inFlight: 2 });
    expectFigures(rows, engines, 3);
  });

  it("time measures walks of the past beside those of today", async () => {
    expectFigures(await timeBench(engines, timeSizes.small), engines, 4);
  });

  it("web measures our layout, and installs nothing for the small size", async () => {
    expect(webSizes.small.yardsticks).toBe(false);
    expectFigures(await webBench(webSizes.small), engines, 2);
  });

  it("mcp measures tools next to the operations that return the same", async () => {
    expectFigures(await mcpBench(engines, mcpSizes.small), engines, 5);
  });

  it("hostile measures every honest client with and without the hostile one", async () => {
    expectFigures(await hostileBench(engines, hostileSizes.small), engines, 5);
  });

  it("hostile measures four honest callers beside one hostile of each kind, and alone", async () => {
    expectFigures(await hostileCallersBench(engines, hostileSizes.small), engines, 6 * 7);
  });

  it("catalogue measures every operation beside its statements, in two sizes", async () => {
    expectFigures(await catalogueBench(engines, catalogueSizes.small), engines, 40);
  });

  it("access measures every kind of caller beside a catalogue that signs nobody in", async () => {
    expectFigures(await accessBench(engines, accessSizes.small), engines, 5);
  });
});
