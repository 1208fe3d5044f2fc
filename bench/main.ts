import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { accessBench, accessSizes } from "./access/bench.ts";
import { catalogueBench, catalogueSizes } from "./catalogue/bench.ts";
import { alertsBench, alertsSizes } from "./alerts/bench.ts";
import { columnsBench, columnsSizes } from "./columns/bench.ts";
import { growthBench, growthSizes } from "./growth/bench.ts";
import { datahubBench, datahubSizes } from "./datahub/bench.ts";
import { hostileBench, hostileSizes } from "./hostile/bench.ts";
import { hostileCallersBench } from "./hostile/callers.ts";
import { idleBench, idleSizes } from "./idle/bench.ts";
import { sideBySideBench } from "./ingest/side-by-side.ts";
import { ingestBench, ingestSizes } from "./ingest/bench.ts";
import { lineageBench, lineageSizes } from "./lineage/bench.ts";
import { mcpBench, mcpSizes } from "./mcp/bench.ts";
import { openLineageBench, openLineageSizes } from "./openlineage/bench.ts";
import { sqlBench, sqlSizes } from "./sql/bench.ts";
import { startBench } from "./start/bench.ts";
import { timeBench, timeSizes } from "./time/bench.ts";
import { tracesBench, tracesSizes } from "./traces/bench.ts";
import { webBench, webSizes } from "./web/bench.ts";
import { type Row, table } from "./support/report.ts";
import type { EngineSet } from "./support/subject.ts";

const usage =
  `npm run bench [-- lineage|columns|ingest|alerts|traces|catalogue|access|datahub|growth|hostile|idle|mcp|openlineage|sql|start|time|web …] [--engines embedded|distributed|both]
  [--size small|full] [--json file] [--entities number]
growth runs only when it is named; --entities: its last size (default: ten million)
npm run bench -- --beside ../other-checkout [--engines …]: new batches into both, round by round`;

type Size = "small" | "full";

type Bench = (engines: EngineSet, size: Size, entities?: number) => Promise<Row[]>;

/** Benchmarks that take hours, and run only when they are named. */
const onlyNamed: ReadonlySet<string> = new Set(["growth"]);

const benches: Record<string, Bench> = {
  lineage: (engines, size) => lineageBench(engines, lineageSizes[size]),
  columns: (engines, size) => columnsBench(engines, columnsSizes[size]),
  ingest: (engines, size) => ingestBench(engines, ingestSizes[size]),
  alerts: (engines, size) => alertsBench(engines, alertsSizes[size]),
  traces: (engines, size) => tracesBench(engines, tracesSizes[size]),
  catalogue: (engines, size) => catalogueBench(engines, catalogueSizes[size]),
  access: (engines, size) => accessBench(engines, accessSizes[size]),
  growth: (engines, size, entities = growthSizes[size].entities) =>
    growthBench(engines, { ...growthSizes[size], entities }),
  datahub: (engines, size) => datahubBench(engines, datahubSizes[size]),
  hostile: async (engines, size) => [
    ...await hostileBench(engines, hostileSizes[size]),
    ...await hostileCallersBench(engines, hostileSizes[size]),
  ],
  idle: (engines, size) => idleBench(engines, idleSizes[size]),
  mcp: (engines, size) => mcpBench(engines, mcpSizes[size]),
  openlineage: (engines, size) => openLineageBench(engines, openLineageSizes[size]),
  sql: (engines, size) => Promise.resolve(engines === "embedded" ? sqlBench(sqlSizes[size]) : []),
  start: (engines) => (engines === "embedded" ? startBench() : Promise.resolve([])),
  time: (engines, size) => timeBench(engines, timeSizes[size]),
  web: (engines, size) => (engines === "embedded" ? webBench(webSizes[size]) : Promise.resolve([])),
};

/** Compares this checkout with another one, with one batch and with several batches in flight. */
function compareBench(checkout: string): Record<string, Bench> {
  return {
    beside: async (engines, size) => {
      const given = size === "full" ? { size: 1_000, rounds: 8 } : { size: 20, rounds: 2 };
      const alone = await sideBySideBench({ engines, checkout, ...given, inFlight: 1 });
      return [...alone, ...await sideBySideBench({ engines, checkout, ...given, inFlight: 4 })];
    },
  };
}

/** Runs the chosen benchmarks and prints a table; `--json` stores the rows. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engines: { type: "string", default: "both" },
      size: { type: "string", default: "full" },
      json: { type: "string" },
      beside: { type: "string" },
      entities: { type: "string" },
    },
  });
  const offered = values.beside ? compareBench(values.beside) : benches;
  const usual = Object.keys(offered).filter((name) => !onlyNamed.has(name));
  const chosen = positionals.length > 0 ? positionals : usual;
  const entities = values.entities === undefined ? undefined : Number(values.entities);
  const unknown = chosen.filter((name) => !Object.hasOwn(offered, name));
  const sets: EngineSet[] = values.engines === "both"
    ? ["embedded", "distributed"]
    : [values.engines as EngineSet];
  const isCount = entities === undefined || Number.isInteger(entities) && entities > 0;
  if (unknown.length > 0 || !["small", "full"].includes(values.size) || !isCount) {
    console.error(usage);
    process.exit(2);
  }
  const rows: Row[] = [];
  for (const engines of sets) {
    for (const name of chosen) {
      const begun = performance.now();
      const results = await offered[name]!(engines, values.size as Size, entities).catch(
        (error) => {
          process.exitCode = 1;
          console.error(`${name}, ${engines} engines:`, error);
          return [];
        },
      );
      rows.push(...results);
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      console.error(`${name}, ${engines} engines: ${seconds} s`);
    }
  }
  console.log(table(rows));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

// The measured processes end with this one.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

await main();
