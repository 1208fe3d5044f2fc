import type { LayoutInput } from "#web/graph/model.ts";
import type { LayoutDrawing } from "./drawing.ts";

/** Lays a graph out with another engine; also where its boxes lie (upper left corner). */
export type Engine = (
  input: LayoutInput,
) => Promise<LayoutDrawing & { positions: [number, number][] }>;

interface Point {
  x: number;
  y: number;
}

interface ElkGraph {
  id: string;
  layoutOptions?: Record<string, string>;
  children: { id: string; width: number; height: number; x?: number; y?: number }[];
  edges: {
    id: string;
    sources: string[];
    targets: string[];
    sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
  }[];
}

export type Elk = new () => { layout(graph: ElkGraph): Promise<ElkGraph> };

/** ELK layered with its own defaults for spacing, from left to right. */
export function elkOf(Elk: Elk): Engine {
  const engine = new Elk();
  return async (input) => {
    const laid = await engine.layout({
      id: "root",
      layoutOptions: {
        "elk.algorithm": "layered",
        "elk.direction": "RIGHT",
        "elk.edgeRouting": "POLYLINE",
      },
      children: Array.from(input.widths, (width, at) => ({
        id: `${at}`,
        width,
        height: input.heights[at]!,
      })),
      edges: endsOf(input).map(([from, to], at) => ({
        id: `e${at}`,
        sources: [`${from}`],
        targets: [`${to}`],
      })),
    });
    return {
      lines: laid.edges.map(({ sections = [] }) =>
        sections.flatMap(({ startPoint, bendPoints = [], endPoint }) =>
          [startPoint, ...bendPoints, endPoint].flatMap(({ x, y }) => [x, y])
        )
      ),
      positions: laid.children.map(({ x = 0, y = 0 }) => [x, y]),
    };
  };
}

interface DagreGraph {
  setGraph(options: Record<string, unknown>): void;
  setDefaultEdgeLabel(label: () => object): void;
  setNode(id: string, box: { width: number; height: number }): void;
  setEdge(from: string, to: string): void;
  node(id: string): Point;
  edge(from: string, to: string): { points: Point[] };
}

/** Dagre from left to right with its fastest ranker that is not longest path. */
export function dagreOf(module: { default?: Dagre } & Dagre): Engine {
  const { graphlib, layout } = module.default ?? module;
  return (input) => {
    const graph = new graphlib.Graph();
    graph.setGraph({ rankdir: "LR", ranker: "tight-tree" });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const [at, width] of input.widths.entries()) {
      graph.setNode(`${at}`, { width, height: input.heights[at]! });
    }
    const ends = endsOf(input);
    for (const [from, to] of ends) graph.setEdge(`${from}`, `${to}`);
    layout(graph);
    return Promise.resolve({
      lines: ends.map(([from, to]) =>
        graph.edge(`${from}`, `${to}`).points.flatMap(({ x, y }) => [x, y])
      ),
      positions: Array.from(input.widths, (width, at) => {
        const { x, y } = graph.node(`${at}`);
        return [x - width / 2, y - input.heights[at]! / 2];
      }),
    });
  };
}

export interface Dagre {
  graphlib: { Graph: new () => DagreGraph };
  layout(graph: DagreGraph): void;
}

function endsOf({ edges }: LayoutInput): [number, number][] {
  return Array.from({ length: edges.length >> 1 }, (_, e) => [edges[2 * e]!, edges[2 * e + 1]!]);
}
