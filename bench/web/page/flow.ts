import { type ComponentType, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import type { Engine } from "../engines.ts";
import { dagreOf, elkOf } from "../engines.ts";
import { lineageGraph } from "../graphs.ts";
import { drawingOfModel, modelOfGraph } from "./drawing.ts";
import { emptyContainer, framesOf, painted } from "./frames.ts";

interface Instance {
  fitView(options: object): Promise<boolean>;
  getViewport(): { x: number; y: number; zoom: number };
  setViewport(view: { x: number; y: number; zoom: number }): Promise<boolean>;
}
interface FlowNode {
  id: string;
  position: { x: number; y: number };
  width: number;
  height: number;
  data: { label: string };
  sourcePosition: "right";
  targetPosition: "left";
}

/** React Flow as its first example shows it: nodes and lines of its own, nothing else. */
async function flow(positions: [number, number][], edges: ArrayLike<number>) {
  const nodes = positions.map(([x, y], at): FlowNode => ({
    id: `${at}`,
    position: { x, y },
    width: 180,
    height: 48,
    data: { label: `table_${at}` },
    sourcePosition: "right",
    targetPosition: "left",
  }));
  const lines = Array.from({ length: edges.length >> 1 }, (_, at) => ({
    id: `l${at}`,
    source: `${edges[2 * at]}`,
    target: `${edges[2 * at + 1]}`,
  }));
  const { ReactFlow } = await import("@xyflow/react") as { ReactFlow: ComponentType<object> };
  await import("@xyflow/react/dist/style.css");
  const box = emptyContainer().appendChild(document.createElement("div"));
  box.style.height = "720px";
  const root = createRoot(box);
  const instance = await new Promise<Instance>((onInit) =>
    root.render(createElement(ReactFlow, { nodes, edges: lines, minZoom: 0.001, onInit } as object))
  );
  await drawn(box, lines.length);
  await instance.fitView({ minZoom: 0.001 });
  await painted();
  return { root, instance };
}

/** Lines come after the boxes have been measured. */
async function drawn(box: HTMLElement, lines: number): Promise<void> {
  while (box.querySelectorAll(".react-flow__edge").length < lines) await painted();
}

/** As `panFrames`, with the places of our layout, so that drawing alone is compared. */
export async function flowPanFrames(nodes: number): Promise<number> {
  const { layout } = drawingOfModel(modelOfGraph(nodes));
  const positions = Array.from(layout.x, (x, at): [number, number] => [x, layout.y[at]!]);
  const { root, instance } = await flow(positions, lineageGraph(nodes).edges);
  const { x, y, zoom } = instance.getViewport();
  const p95 = await framesOf(60, (at) => {
    const step = at % 40 < 20 ? at % 20 : 20 - at % 20;
    void instance.setViewport({ x: x + 6 * step, y: y + 3 * step, zoom: zoom * (1 + step / 100) });
  });
  root.unmount();
  return p95;
}

const engines: Record<string, () => Promise<Engine>> = {
  elk: async () => elkOf((await import("elkjs/lib/elk.bundled.js")).default as never),
  dagre: async () => dagreOf(await import("@dagrejs/dagre") as never),
};

/** Milliseconds to lay out and draw a lineage that has been read. */
export async function flowDrawnMs(nodes: number, engine: "elk" | "dagre"): Promise<number> {
  const layOut = await engines[engine]!();
  await import("@xyflow/react");
  const graph = lineageGraph(nodes);
  const begun = performance.now();
  const { positions } = await layOut(graph);
  const { root }: { root: Root } = await flow(positions, graph.edges);
  const ms = performance.now() - begun;
  root.unmount();
  return ms;
}
