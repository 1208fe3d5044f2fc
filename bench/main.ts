import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { alertsBench, alertsSizes } from "./alerts/bench.ts";
import { hostileBench, hostileSizes } from "./hostile/bench.ts";
import { ingestBench, ingestSizes } from "./ingest/bench.ts";
import { lineageBench, lineageSizes } from "./lineage/bench.ts";
import { startBench } from "./start/bench.ts";
import { tracesBench, tracesSizes } from "./traces/bench.ts";
import { type Row, table } from "./support/report.ts";
import type { EngineSet } from "./support/subject.ts";

const usage =
  `npm run bench [-- lineage|ingest|alerts|traces|hostile|start …] [--engines embedded|distributed|both]
  [--size small|full] [--json file]`;

type Size = "small" | "full";

const benches: Record<string, (engines: EngineSet, size: Size) => Promise<Row[]>> = {
  lineage: (engines, size) => lineageBench(engines, lineageSizes[size]),
  ingest: (engines, size) => ingestBench(engines, ingestSizes[size]),
  alerts: (engines, size) => alertsBench(engines, alertsSizes[size]),
  traces: (engines, size) => tracesBench(engines, tracesSizes[size]),
  hostile: (engines, size) => hostileBench(engines, hostileSizes[size]),
  start: (engines) => (engines === "embedded" ? startBench() : Promise.resolve([])),
};

/** Runs the chosen benchmarks and prints a table; `--json` keeps the rows. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engines: { type: "string", default: "both" },
      size: { type: "string", default: "full" },
      json: { type: "string" },
    },
  });
  const chosen = positionals.length > 0 ? positionals : Object.keys(benches);
  const unknown = chosen.filter((name) => !(name in benches));
  const sets: EngineSet[] = values.engines === "both"
    ? ["embedded", "distributed"]
    : [values.engines as EngineSet];
  if (unknown.length > 0 || !["small", "full"].includes(values.size)) {
    console.error(usage);
    process.exit(2);
  }
  const rows: Row[] = [];
  for (const engines of sets) {
    for (const name of chosen) {
      const begun = performance.now();
      const told = await benches[name]!(engines, values.size as Size).catch((error) => {
        process.exitCode = 1;
        console.error(`${name}, ${engines} engines:`, error);
        return [];
      });
      rows.push(...told);
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      console.error(`${name}, ${engines} engines: ${seconds} s`);
    }
  }
  console.log(table(rows));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

await main();
