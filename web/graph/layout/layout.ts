import { backEdges } from "#web/graph/layout/cycles.ts";
import { type Proper, properGraph } from "#web/graph/layout/dummies.ts";
import { layersOf } from "#web/graph/layout/layers.ts";
import { orderOf } from "#web/graph/layout/order.ts";
import { grid, packed, type Packing } from "#web/graph/layout/pack.ts";
import { type Part, partsOf } from "#web/graph/layout/parts.ts";
import { type Places, placesOf } from "#web/graph/layout/place.ts";
import {
  addLine,
  addLoop,
  loopPoints,
  Points,
  pointsOf,
  type Rectangle,
} from "#web/graph/layout/route.ts";
import { gaps } from "#web/graph/layout/sizes.ts";
import type { Layout, LayoutInput } from "#web/graph/model.ts";

/** A part of the graph laid out by itself; `pairs` and `places` are by place in the part. */
interface Laid {
  part: Part;
  reversed: Uint8Array;
  proper: Proper;
  places: Places;
}

/**
 * Lays a graph out in columns from left to right (Sugiyama): cycles are opened, boxes get columns, columns an order with
 * few crossings, and boxes places near their neighbours. Connected parts are packed, boxes without lines fill a grid. The
 * same input gives the same layout. Boxes of one column that have a rank in `before` come in the order of their ranks.
 */
export function layoutOf(input: LayoutInput): Layout {
  const { parts, alone } = partsOf(input.widths.length, input.edges);
  const placeInPart = new Uint32Array(input.widths.length);
  const laid = parts.map((part) => layOut(part, input, placeInPart));
  const cells = grid(alone, input.widths, input.heights);
  const sizes: { width: number; height: number }[] = laid.map(({ places }) => places);
  if (alone.length > 0) sizes.push(cells);
  const packing = packed(
    sizes.map(({ width }) => width),
    sizes.map(({ height }) => height),
    gaps.part,
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

function portsOf({ heights, ports }: LayoutInput): Float32Array {
  return ports ?? heights.map((height) => height / 2);
}

function emptyLayout({ widths, edges }: LayoutInput, { width, height }: Packing): Layout {
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

function layOut(part: Part, input: LayoutInput, placeInPart: Uint32Array): Laid {
  const { boxes, edges } = part;
  for (const [at, box] of boxes.entries()) placeInPart[box] = at;
  const pairs = new Uint32Array(2 * edges.length);
  for (const [at, edge] of edges.entries()) {
    pairs[2 * at] = placeInPart[input.edges[2 * edge]!]!;
    pairs[2 * at + 1] = placeInPart[input.edges[2 * edge + 1]!]!;
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
  const order = orderOf(proper, ranks);
  const [heights, ports] = [pick(input.heights), pick(portsOf(input))];
  const places = placesOf(proper, order, pick(input.widths), { heights, ports });
  return { part, reversed, proper, places };
}

function fillBoxes(
  layout: Layout,
  { part, reversed, proper, places }: Laid,
  input: LayoutInput,
  left: number,
  top: number,
): void {
  const [{ widths }, ports] = [input, portsOf(input)];
  for (const [at, box] of part.boxes.entries()) {
    const column = proper.layers[at]!;
    const room = places.columnWidth[column]! - widths[box]!;
    layout.x[box] = left + places.columnX[column]! + room / 2;
    layout.y[box] = top + places.middles[at]! - ports[box]!;
    layout.layers[box] = column;
  }
  for (const [at, edge] of part.edges.entries()) layout.reversed[edge] = reversed[at]!;
}

/** The lines of all edges, in the order of the edges. */
function linesOf(
  layout: Layout,
  laid: Laid[],
  input: LayoutInput,
  packing: Packing,
): Pick<Layout, "points" | "offsets" | "reversed"> {
  const { x, y, reversed } = layout;
  const [{ widths, heights, edges }, ports] = [input, portsOf(input)];
  const count = edges.length >> 1;
  const partOf = new Int32Array(count).fill(-1);
  const placeOf = new Uint32Array(count);
  for (const [at, { part }] of laid.entries()) {
    for (const [place, edge] of part.edges.entries()) {
      partOf[edge] = at;
      placeOf[edge] = place;
    }
  }
  const offsets = new Uint32Array(count + 1);
  for (let e = 0; e < count; e++) {
    const part = laid[partOf[e]!];
    offsets[e + 1] = offsets[e]! + (part ? pointsOf(part.proper, placeOf[e]!) : loopPoints);
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
    const part = laid[partOf[e]!];
    const from = box(edges[2 * e]!);
    if (!part) {
      addLoop(points, from);
      reversed[e] = 1;
      continue;
    }
    const [left, top] = [packing.x[partOf[e]!]!, packing.y[partOf[e]!]!];
    addLine(points, placeOf[e]!, [from, box(edges[2 * e + 1]!)], {
      ...part,
      reversed: reversed[e] === 1,
      left,
      top,
    });
  }
  return { points: points.values, offsets, reversed };
}
