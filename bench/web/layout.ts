import { pathToFileURL } from "node:url";
import { layoutOf } from "#web/graph/layout/layout.ts";
import type { LayoutInput } from "#web/graph/model.ts";
import { inTurn } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { crossingsOf } from "./crossings.ts";
import { drawingOf } from "./drawing.ts";
import { measuredEngine, type Measurement } from "./engine.ts";
import { lineageGraph } from "./graphs.ts";
import { installedYardsticks } from "./yardsticks.ts";

export interface LayoutSize {
  /** Nodes of each lineage that is laid out. */
  nodes: number[];
  /** Whether other libraries are installed and measured as well. */
  yardsticks: boolean;
  runs: number;
  /** Maximum number of milliseconds spent on one engine and graph. */
  budgetMs: number;
}

interface Yardstick {
  name: string;
  engine: "elk" | "dagre";
  /** Goals for time and crossings; none where it is only shown. */
  goals: boolean;
}

const yardsticksOf: readonly Yardstick[] = [
  { name: "ELK layered", engine: "elk", goals: true },
  { name: "dagre tight-tree", engine: "dagre", goals: false },
];

/** Our layout beside other engines on the same graphs: time of one layout, and lines that cross in what it draws. */
export async function layoutRows(
  { nodes, yardsticks, runs, budgetMs }: LayoutSize,
): Promise<Row[]> {
  const rows: Row[] = [];
  const others = yardsticks ? yardsticksOf : [];
  for (const count of nodes) {
    const graph = lineageGraph(count);
    const options = { runs, warmup: 2, budgetMs };
    const { ours } = await inTurn({ ours: () => Promise.resolve(layoutOf(graph)) }, options);
    const drawing = drawingOf(layoutOf(graph));
    const measurements = { graph, ms: ours.p50, crossings: crossingsOf(drawing) };
    if (others.length === 0) rows.push(...compareWith(measurements, null, null));
    for (const other of others) {
      const begun = performance.now();
      const modules = pathToFileURL(`${installedYardsticks()}/node_modules/`).href;
      const rounds = { ...options, warmup: 0, runs: Math.min(runs, 5) };
      const found = await measuredEngine({
        engine: other.engine,
        modules,
        graph,
        options: rounds,
      });
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      console.error(`web, ${count} nodes, ${other.name}: ${seconds} s`);
      rows.push(...compareWith(measurements, other, found));
    }
  }
  return rows;
}

function compareWith(
  { graph, ms, crossings }: { graph: LayoutInput; ms: number; crossings: number },
  other: Yardstick | null,
  found: Measurement | string | null,
): Row[] {
  const size = `${graph.widths.length} nodes, ${graph.edges.length / 2} lines`;
  const name = other ? `${size}, beside ${other.name}` : size;
  const theirs = typeof found === "object" ? found : null;
  const note = typeof found === "string" ? found : undefined;
  const goals = other?.goals && theirs;
  const given = { bench: "web", engines: "embedded", ...(note && { note }) };
  return [
    row({
      ...given,
      case: `layout of ${name}`,
      unit: "ms",
      ours: ms,
      yardstick: theirs?.ms ?? null,
      goal: goals ? "≥ 20 × faster" : "",
    }, goals ? (ratio) => ratio! <= 1 / 20 : undefined),
    row({
      ...given,
      case: `crossings, ${name}`,
      unit: "crossings",
      ours: crossings,
      yardstick: theirs ? crossingsOf(theirs.drawing) : null,
      goal: goals ? "no more" : "",
    }, goals ? (ratio) => ratio! <= 1 : undefined),
  ];
}
