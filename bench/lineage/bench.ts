import process from "node:process";
import type { LineageGraph } from "#graph/port.ts";
import { concurrently, inTurn, type Sample } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { chain, cycle, diamond, hub, layered } from "./graphs.ts";
import { load } from "./load.ts";
import { bare, enumeratingCte, type Question } from "./yardsticks.ts";

export interface LineageSize {
  /** Entities of each layered graph; they are loaded one after the other. */
  graphs: number[];
  depths: number[];
  /** The layered graph that is also queried by enumerating paths, and the depths for it. */
  enumerated: { graph: number; depths: number[] };
  runs: number;
  /** Maximum number of milliseconds spent on one case. */
  budgetMs: number;
}

export const lineageSizes: Record<"small" | "full", LineageSize> = {
  small: {
    graphs: [1_000],
    depths: [1, 5],
    enumerated: { graph: 1_000, depths: [1] },
    runs: 3,
    budgetMs: 2_000,
  },
  full: {
    graphs: [1_000, 10_000, 100_000],
    depths: [1, 5, 20, 40],
    enumerated: { graph: 10_000, depths: [5, 20] },
    runs: 40,
    budgetMs: 3_000,
  },
};

interface Bench {
  subject: Subject;
  graph: LineageGraph;
  size: LineageSize;
  rows: Row[];
}

/** Lineage over HTTP, compared with bare queries that return the same answer. */
export async function lineageBench(engines: EngineSet, size: LineageSize): Promise<Row[]> {
  const subject = await startSubject(engines, { env: { SERVER_TRUSTED_PROXIES: "127.0.0.1" } });
  const graph = await openGraph(subject);
  const bench: Bench = { subject, graph, size, rows: [] };
  try {
    await specials(bench);
    await layeredGraphs(bench);
  } finally {
    await graph.close();
    await subject.stop();
  }
  return bench.rows;
}

async function openGraph(subject: Subject): Promise<LineageGraph> {
  if (subject.engines === "embedded") {
    const { PostgresGraph } = await import("#graph/postgres/postgres.ts");
    return new PostgresGraph(subject.db);
  }
  const { Neo4jGraph } = await import("#graph/neo4j/neo4j.ts");
  return new Neo4jGraph({
    url: process.env.TEST_NEO4J_URL!,
    username: "neo4j",
    password: process.env.TEST_NEO4J_PASSWORD ?? "",
    database: "neo4j",
    instance: subject.instance,
  });
}

async function specials(bench: Bench): Promise<void> {
  const { size, graph } = bench;
  const projected = graph.projection === "projected";
  const at = async (name: string, shape: Parameters<typeof load>[2]) =>
    (await load(bench.subject.db, name, shape, projected))[0]!;
  const ask = (id: number, depth: number): Question => ({ id, direction: "downstream", depth });
  await compare(bench, "chain of 80 edges", ask(await at("chain80", chain(80)), 100));
  const levels = ask(await at("diamond", diamond(40)), 40);
  const wide = await compare(bench, "40-level diamond", levels);
  if (size.enumerated.graph > 1_000) {
    await compareWithEnumeration(bench, "40-level diamond", levels, wide.p50);
  }
  against(
    bench,
    "40-level diamond beside a chain of 160 edges",
    wide,
    await compare(
      bench,
      "chain of 160 edges",
      ask(await at("chain160", chain(160)), 200),
    ),
  );
  const short = await compare(bench, "chain of 3 edges", ask(await at("chain3", chain(3)), 1_000));
  const round = await compare(bench, "3-node cycle", ask(await at("cycle", cycle(3)), 1_000));
  against(bench, "3-node cycle beside a chain of 3 edges", round, short);
  await compare(bench, "hub of 5,000", ask(await at("hub", hub(5_000)), 1));
}

async function layeredGraphs(bench: Bench): Promise<void> {
  const { subject, size } = bench;
  const projected = bench.graph.projection === "projected";
  const probe = await load(subject.db, "probe", layered(800), projected);
  const probeAt: number[] = [];
  for (const entities of size.graphs) {
    const ids = await load(subject.db, `layered${entities}`, layered(entities), projected);
    for (const depth of size.depths) {
      const down: Question = { id: ids[0]!, direction: "downstream", depth };
      const up: Question = { id: ids.at(-1)!, direction: "upstream", depth };
      const { p50 } = await compare(bench, `layered ${entities}, downstream, depth ${depth}`, down);
      if (entities === size.enumerated.graph && size.enumerated.depths.includes(depth)) {
        await compareWithEnumeration(bench, `layered ${entities}, depth ${depth}`, down, p50);
      }
      await compare(bench, `layered ${entities}, upstream, depth ${depth}`, up);
    }
    const equal: Question = { id: probe[0]!, direction: "downstream", depth: 20 };
    // Minutes pass between the graphs, so the minimum is compared: other load on the machine distorts it
    // least.
    probeAt.push((await compare(bench, `equal answer beside ${entities}`, equal)).min);
    await manyClients(bench, `layered ${entities}, depth 5`, ids[0]!);
  }
  const [first, last] = [probeAt[0]!, probeAt.at(-1)!];
  if (size.graphs.length > 1) {
    bench.rows.push(row({
      bench: "lineage",
      engines: subject.engines,
      case: `equal answer, ${size.graphs.at(-1)} against ${size.graphs[0]} entities, least`,
      unit: "ms",
      ours: last,
      yardstick: first,
      goal: "≤ 1.3 ×",
    }, (ratio) => ratio! <= 1.3));
  }
}

/** Measures p50 over HTTP and of the bare queries, in turn. */
async function compare(bench: Bench, name: string, question: Question): Promise<Sample> {
  const { subject, graph, size } = bench;
  const nodes = await bare(graph, subject.db, question);
  const { http, queries } = await inTurn({
    http: () => ask(subject.url, question),
    queries: () => bare(graph, subject.db, question),
  }, { runs: size.runs, warmup: 3, budgetMs: size.budgetMs });
  const large = nodes > 100;
  const most = mostTimesBare(nodes);
  bench.rows.push(row({
    bench: "lineage",
    engines: subject.engines,
    case: `${name} (${nodes} nodes)`,
    unit: "ms",
    ours: http.p50,
    yardstick: queries.p50,
    goal: large ? `≤ ${most} ×` : "≤ bare + 3 ms",
  }, (ratio, ours) => (large ? ratio! <= most : ours <= queries.p50 + 3)));
  return http;
}

const mostTimesBare = (nodes: number) => (nodes > 1_000 ? 1.25 : 1.5);

async function compareWithEnumeration(
  bench: Bench,
  name: string,
  question: Question,
  ours: number,
) {
  if (bench.subject.engines !== "embedded") return;
  const ms = await enumeratingCte(bench.subject.db, question);
  bench.rows.push(row({
    bench: "lineage",
    engines: "embedded",
    case: `${name}, beside an enumerating CTE`,
    unit: "ms",
    ours,
    yardstick: ms,
    goal: "",
    note: ms === null ? "the CTE was stopped at 60 s" : undefined,
  }));
}

/** The same for 16 clients at once, and for 16 requests of one client, next to as many bare queries at once. */
async function manyClients(bench: Bench, name: string, id: number): Promise<void> {
  const { subject, graph, size } = bench;
  const question: Question = { id, direction: "downstream", depth: 5 };
  const nodes = await bare(graph, subject.db, question);
  const many = { clients: 16, runsEach: Math.max(2, Math.ceil(size.runs / 4)) };
  let refused = 0;
  const measured = (from: (client: number) => string) =>
    concurrently(
      many,
      (client) => ask(subject.url, question, from(client)).catch(() => refused++),
    );
  const several = await measured((client) => `192.0.2.${client + 1}`);
  const queries = await concurrently(many, () => bare(graph, subject.db, question));
  const one = await measured(() => "192.0.2.1");
  const against = { bench: "lineage", engines: subject.engines, yardstick: queries.p50 };
  const note = `p95 ${several.p95.toFixed(0)} ms, ${refused} of ${2 * several.runs} refused`;
  const most = mostTimesBare(nodes);
  bench.rows.push(
    row({
      ...against,
      case: `${name}, 16 clients`,
      unit: "ms",
      ours: several.p50,
      goal: `≤ ${most} ×`,
      note,
    }, (ratio) => ratio! <= most),
    row({
      ...against,
      case: `${name}, 16 requests of one client, which has half of the places`,
      unit: "ms",
      ours: one.p50,
      goal: "",
    }),
  );
}

function against(bench: Bench, name: string, sample: Sample, baseline: Sample): void {
  const [ours, yardstick] = [sample.p50, baseline.p50];
  bench.rows.push(row({
    bench: "lineage",
    engines: bench.subject.engines,
    case: name,
    unit: "ms",
    ours,
    yardstick,
    goal: "≤ 2 ×",
  }, (ratio) => ratio! <= 2));
}

/** `address`: of the client for whom this one asks, as a proxy does; by default its own. */
async function ask(
  url: string,
  { id, direction, depth }: Question,
  address = "127.0.0.1",
): Promise<void> {
  const path = `/api/dataentities/${id}/lineage/${direction}?lineage_depth=${depth}`;
  const response = await fetch(url + path, {
    headers: { "x-forwarded-for": address },
    signal: AbortSignal.timeout(60_000),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}
