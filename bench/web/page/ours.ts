import { highlightOf } from "#web/features/lineage/highlight.ts";
import { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { Picker } from "#web/graph/pick.ts";
import type { Scene } from "#web/graph/scene.ts";
import { fit } from "#web/graph/viewport.ts";
import { walkable } from "#web/graph/adjacency.ts";
import { drawingOfModel, modelOfGraph } from "./drawing.ts";
import { emptyContainer, framesOf, painted } from "./frames.ts";

const frames = 180;

/** The drawing as the lineage page shows it, without the page, and with all of it in view. */
async function staged(
  scene: Scene,
): Promise<{ viewport: GraphViewport; canvas: HTMLCanvasElement }> {
  const canvas = emptyContainer().appendChild(document.createElement("canvas"));
  const viewport = new GraphViewport(canvas, { onPick: () => {}, onHover: () => {} });
  await painted();
  viewport.show({ scene, onTheWay: null, refit: false }, fit(scene.bounds, viewport.size));
  await painted();
  return { viewport, canvas };
}

/** Turns the wheel over the drawing every frame: to and fro, in and out. */
export async function panFrames(nodes: number): Promise<number> {
  const { viewport, canvas } = await staged(drawingOfModel(modelOfGraph(nodes)).scene);
  const middle = { clientX: 640, clientY: 360, bubbles: true, cancelable: true };
  const p95 = await framesOf(frames, (at) => {
    const forth = at % 40 < 20 ? 1 : -1;
    const wheel = at % 80 < 40 ? { deltaX: 6 * forth, deltaY: 3 * forth } : { deltaY: 8 * forth };
    canvas.dispatchEvent(new WheelEvent("wheel", { ...middle, ...wheel }));
  });
  viewport.end();
  return p95;
}

/** Milliseconds from the choice of a box to the marks of all paths through it, the median of many boxes. */
export async function highlightMs(nodes: number): Promise<number> {
  const model = modelOfGraph(nodes);
  const { view, scene } = drawingOfModel(model);
  const graph = walkable(model);
  const { viewport } = await staged(scene);
  const times = Array.from({ length: 60 }, (_, at) => {
    const key = `e${Math.floor(at * nodes / 60)}`;
    const begun = performance.now();
    const found = highlightOf(model, graph, view, [key])!;
    viewport.mark({
      selected: new Set([key]),
      path: found.boxes,
      onPath: (line) => found.lines.has(line),
    });
    return performance.now() - begun;
  });
  viewport.end();
  return times.sort((a, b) => a - b)[30]!;
}

/** Microseconds to tell what is at a point, from near and from far, on average. */
export function hitMicroseconds(nodes: number): number {
  const { scene } = drawingOfModel(modelOfGraph(nodes));
  const { x, y, width, height } = scene.bounds;
  const picker = new Picker(scene);
  const points = Array.from({ length: 20_000 }, (_, at) => ({
    x: x + width * ((at * 0.618034) % 1),
    y: y + height * ((at * 0.414214) % 1),
  }));
  for (const point of points.slice(0, 2_000)) picker.at(point, 1);
  const begun = performance.now();
  for (const [at, point] of points.entries()) picker.at(point, at % 2 ? 1 : 0.2);
  return (performance.now() - begun) * 1_000 / points.length;
}
