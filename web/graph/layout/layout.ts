import { adjacencyOf } from "#web/graph/adjacency.ts";
import { layersOf, type Proper, properGraph } from "#web/graph/layout/columns.ts";
import { componentsOf, type ConnectedComponent } from "#web/graph/layout/components.ts";
import { frameReader } from "#web/graph/layout/frames.ts";
import { orderOf } from "#web/graph/layout/order.ts";
import {
  addLine,
  addLoop,
  loopPoints,
  type NodePositions,
  type PlacedBox,
  pointCount,
  positionsOf,
} from "#web/graph/layout/positions.ts";
import { frameDepth, gaps, type Layout, type LayoutInput } from "#web/graph/model.ts";

type PortedInput = LayoutInput & { ports: Float32Array };

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
export function layoutOf(given: LayoutInput): Layout {
  const input = { ...given, ports: given.ports ?? given.heights.map((height) => height / 2) };
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
  input: PortedInput,
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
  const heights = {
    heights: pick(input.heights),
    ports: pick(input.ports),
    spaces: input.spaces && pick(input.spaces),
  };
  const positions = positionsOf(proper, order, pick(input.widths), heights, framesOf);
  return { component, reversed, proper, positions };
}

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
  { widths, ports }: PortedInput,
  left: number,
  top: number,
): void {
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
  { widths, heights, ports, edges }: PortedInput,
  packing: PackedLayout,
): Pick<Layout, "points" | "offsets" | "reversed"> {
  const { x, y, reversed } = layout;
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
      (component ? pointCount(component.proper, placeOf[e]!) : loopPoints);
  }
  const points = new Float32Array(2 * offsets[count]!);
  let filled = 0;
  const add = (x: number, y: number) => {
    points[filled++] = x;
    points[filled++] = y;
  };
  const box = (n: number): PlacedBox => ({
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
      addLoop(add, from);
      reversed[e] = 1;
      continue;
    }
    const [left, top] = [packing.x[componentOf[e]!]!, packing.y[componentOf[e]!]!];
    addLine(add, placeOf[e]!, [from, box(edges[2 * e + 1]!)], {
      ...component,
      reversed: reversed[e] === 1,
      left,
      top,
    });
  }
  return { points, offsets, reversed };
}

/** Where each rectangle lies, and how large all are together. */
interface PackedLayout {
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

/** Layouts are about so much wider than high, as screens are. */
const aspectRatio = 1.6;

/**
 * Packs rectangles into rows from left to right in the order given, so that the whole is about as wide as a screen is for
 * its height.
 */
function packed(
  widths: ArrayLike<number>,
  heights: ArrayLike<number>,
  gap: number,
): PackedLayout {
  const count = widths.length;
  let [area, widest] = [0, 0];
  for (let at = 0; at < count; at++) {
    area += (widths[at]! + gap) * (heights[at]! + gap);
    widest = Math.max(widest, widths[at]!);
  }
  const max = Math.max(widest, Math.sqrt(area * aspectRatio));
  const packing = { x: new Float64Array(count), y: new Float64Array(count), width: 0, height: 0 };
  let [x, y, rowHeight] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    if (x > 0 && x + widths[at]! > max) {
      y += rowHeight + gap;
      [x, rowHeight] = [0, 0];
    }
    packing.x[at] = x;
    packing.y[at] = y;
    packing.width = Math.max(packing.width, x + widths[at]!);
    rowHeight = Math.max(rowHeight, heights[at]!);
    x += widths[at]! + gap;
  }
  packing.height = count > 0 ? y + rowHeight : 0;
  return packing;
}

/** Boxes without lines, in the rows and columns of a grid; x and y by place in `boxes`. */
function grid(
  boxes: Uint32Array,
  widths: Float32Array,
  heights: Float32Array,
): PackedLayout {
  let [width, height] = [0, 0];
  for (const box of boxes) {
    width = Math.max(width, widths[box]!);
    height = Math.max(height, heights[box]!);
  }
  const cells = (size: number) => new Float64Array(boxes.length).fill(size);
  return packed(cells(width), cells(height), gaps.row);
}

/**
 * 1 for each edge that closes a cycle: without these edges the graph has none. A depth-first search from what nothing
 * feeds, then from the rest in the order of the indices, so that the direction most edges agree on remains.
 */
function backEdges(nodes: number, pairs: Uint32Array): Uint8Array {
  const reversed = new Uint8Array(pairs.length >> 1);
  const down = adjacencyOf(nodes, pairs, "from");
  const fed = new Uint8Array(nodes);
  for (let e = 0; e < reversed.length; e++) fed[pairs[2 * e + 1]!] = 1;
  // 0 not seen, 1 on the path, 2 left.
  const state = new Uint8Array(nodes);
  const next = down.offsets.slice(0, nodes);
  const path = new Uint32Array(nodes);
  const searchFrom = (start: number) => {
    if (state[start]) return;
    let length = 1;
    path[0] = start;
    state[start] = 1;
    while (length > 0) {
      const at = path[length - 1]!;
      if (next[at]! === down.offsets[at + 1]!) {
        state[at] = 2;
        length--;
        continue;
      }
      const entry = next[at]!++;
      const end = down.ends[entry]!;
      if (state[end] === 1) reversed[down.edges[entry]!] = 1;
      else if (state[end] === 0) {
        state[end] = 1;
        path[length++] = end;
      }
    }
  };
  for (let n = 0; n < nodes; n++) if (!fed[n]) searchFrom(n);
  for (let n = 0; n < nodes; n++) if (fed[n]) searchFrom(n);
  return reversed;
}
