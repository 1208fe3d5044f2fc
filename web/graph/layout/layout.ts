import { backEdges } from "#web/graph/layout/cycles.ts";
import { type Proper, properGraph } from "#web/graph/layout/dummies.ts";
import { frameReader } from "#web/graph/layout/frames.ts";
import { layersOf } from "#web/graph/layout/layers.ts";
import { orderOf } from "#web/graph/layout/order.ts";
import { grid, packed, type PackedLayout } from "#web/graph/layout/pack.ts";
import { componentsOf, type ConnectedComponent } from "#web/graph/layout/components.ts";
import { type NodePositions, positionsOf } from "#web/graph/layout/positions.ts";
import {
  addLine,
  addLoop,
  loopPoints,
  Points,
  pointsOf,
  type Rectangle,
} from "#web/graph/layout/route.ts";
import { gaps } from "#web/graph/layout/sizes.ts";
import { frameDepth, type Layout, type LayoutInput } from "#web/graph/model.ts";

/** A part of the graph laid out by itself; `pairs` and `positions` are by place in the part. */
interface Laid {
  component: ConnectedComponent;
  reversed: Uint8Array;
  proper: Proper;
  positions: NodePositions;
}

/**
 * Lays a graph out in columns from left to right (Sugiyama): cycles are opened, boxes get columns, columns an order with
 * few crossings, and boxes places near their neighbours. Connected parts are packed, boxes without lines fill a grid. The
 * same input gives the same layout. Boxes of one column that have a rank in `before` come in the order of their ranks.
 */
export function layoutOf(input: LayoutInput): Layout {
  const { components, alone } = partsOf(input);
  const indexInComponent = new Uint32Array(input.widths.length);
  const laid = components.map((component) => layOut(component, input, indexInComponent));
  const cells = grid(alone, input.widths, input.heights);
  const sizes: { width: number; height: number }[] = laid.map(({ positions }) => positions);
  if (alone.length > 0) sizes.push(cells);
  const packing = packed(
    sizes.map(({ width }) => width),
    sizes.map(({ height }) => height),
    gaps.component,
  );
  const layout = emptyLayout(input, packing);
  for (const [at, each] of laid.entries()) {
    fillBoxes(layout, each, input, packing.x[at]!, packing.y[at]!);
  }
  for (const [at, box] of alone.entries()) {
    layout.x[box] = packing.x[laid.length]! + cells.x[at]!;
    layout.y[box] = packing.y[laid.length]! + cells.y[at]!;
  }
  return { ...layout, ...linesOf(layout, laid, input, packing) };
}

/** Parts of the graph; a box without lines in a frame is a part of its own, since a grid has no room for frames. */
function partsOf({ widths, edges, frames }: LayoutInput) {
  const { components, alone } = componentsOf(widths.length, edges);
  if (!frames) return { components, alone };
  const isFramed = (box: number) => frames[frameDepth * box] !== 0;
  const framed = Array.from(alone).filter(isFramed)
    .map((box) => ({ boxes: Uint32Array.of(box), edges: new Uint32Array() }));
  return { components: [...components, ...framed], alone: alone.filter((box) => !isFramed(box)) };
}

function portsOf({ heights, ports }: LayoutInput): Float32Array {
  return ports ?? heights.map((height) => height / 2);
}

function emptyLayout({ widths, edges }: LayoutInput, { width, height }: PackedLayout): Layout {
  return {
    x: new Float32Array(widths.length),
    y: new Float32Array(widths.length),
    layers: new Uint32Array(widths.length),
    points: new Float32Array(),
    offsets: new Uint32Array(),
    reversed: new Uint8Array(edges.length >> 1),
    width,
    height,
  };
}

function layOut(
  component: ConnectedComponent,
  input: LayoutInput,
  indexInComponent: Uint32Array,
): Laid {
  const { boxes, edges } = component;
  for (const [at, box] of boxes.entries()) indexInComponent[box] = at;
  const pairs = new Uint32Array(2 * edges.length);
  for (const [at, edge] of edges.entries()) {
    pairs[2 * at] = indexInComponent[input.edges[2 * edge]!]!;
    pairs[2 * at + 1] = indexInComponent[input.edges[2 * edge + 1]!]!;
  }
  const reversed = backEdges(boxes.length, pairs);
  for (let e = 0; e < edges.length; e++) {
    if (!reversed[e]) continue;
    const from = pairs[2 * e]!;
    pairs[2 * e] = pairs[2 * e + 1]!;
    pairs[2 * e + 1] = from;
  }
  const pick = (values: Float32Array) => Float32Array.from(boxes, (box) => values[box]!);
  const proper = properGraph(layersOf(boxes.length, pairs), pairs, reversed);
  const ranks = new Float32Array(proper.layers.length).fill(Number.NaN);
  if (input.before) ranks.set(pick(input.before));
  const framesOf = frameReader(proper, framesIn(input, boxes));
  const order = orderOf(proper, ranks, framesOf);
  const [heights, ports] = [pick(input.heights), pick(portsOf(input))];
  const spaces = input.spaces && pick(input.spaces);
  const about = { heights, ports, spaces };
  const positions = positionsOf(proper, order, pick(input.widths), about, framesOf);
  return { component, reversed, proper, positions };
}

/** The frames of some boxes, in their order. */
function framesIn({ frames }: LayoutInput, boxes: Uint32Array): Uint32Array | undefined {
  if (!frames) return undefined;
  const found = new Uint32Array(frameDepth * boxes.length);
  for (const [at, box] of boxes.entries()) {
    found.set(frames.subarray(frameDepth * box, frameDepth * (box + 1)), frameDepth * at);
  }
  return found;
}

function fillBoxes(
  layout: Layout,
  { component, reversed, proper, positions }: Laid,
  input: LayoutInput,
  left: number,
  top: number,
): void {
  const [{ widths }, ports] = [input, portsOf(input)];
  for (const [at, box] of component.boxes.entries()) {
    const column = proper.layers[at]!;
    const spareWidth = positions.columnWidth[column]! - widths[box]!;
    layout.x[box] = left + positions.columnX[column]! + spareWidth / 2;
    layout.y[box] = top + positions.middles[at]! - ports[box]!;
    layout.layers[box] = column;
  }
  for (const [at, edge] of component.edges.entries()) layout.reversed[edge] = reversed[at]!;
}

/** The lines of all edges, in the order of the edges. */
function linesOf(
  layout: Layout,
  laid: Laid[],
  input: LayoutInput,
  packing: PackedLayout,
): Pick<Layout, "points" | "offsets" | "reversed"> {
  const { x, y, reversed } = layout;
  const [{ widths, heights, edges }, ports] = [input, portsOf(input)];
  const count = edges.length >> 1;
  const componentOf = new Int32Array(count).fill(-1);
  const placeOf = new Uint32Array(count);
  for (const [at, { component }] of laid.entries()) {
    for (const [place, edge] of component.edges.entries()) {
      componentOf[edge] = at;
      placeOf[edge] = place;
    }
  }
  const offsets = new Uint32Array(count + 1);
  for (let e = 0; e < count; e++) {
    const component = laid[componentOf[e]!];
    offsets[e + 1] = offsets[e]! +
      (component ? pointsOf(component.proper, placeOf[e]!) : loopPoints);
  }
  const points = new Points(offsets[count]!);
  const box = (n: number): Rectangle => ({
    x: x[n]!,
    y: y[n]!,
    width: widths[n]!,
    height: heights[n]!,
    port: ports[n]!,
  });
  for (let e = 0; e < count; e++) {
    const component = laid[componentOf[e]!];
    const from = box(edges[2 * e]!);
    if (!component) {
      addLoop(points, from);
      reversed[e] = 1;
      continue;
    }
    const [left, top] = [packing.x[componentOf[e]!]!, packing.y[componentOf[e]!]!];
    addLine(points, placeOf[e]!, [from, box(edges[2 * e + 1]!)], {
      ...component,
      reversed: reversed[e] === 1,
      left,
      top,
    });
  }
  return { points: points.values, offsets, reversed };
}
