import { gaps } from "#web/graph/layout/sizes.ts";
import { frameDepth, type LayoutInput, type View } from "#web/graph/model.ts";

/**
 * What a layout needs of a view; `sizeOf` measures a box in pixels at zoom 1, `before` is that of `ranksOf`.
 */
export function layoutInputOf(
  { nodes, edges }: View,
  sizeOf: (
    node: View["nodes"][number],
  ) => { width: number; height: number; port?: number; space?: number },
  before?: Float32Array,
): LayoutInput {
  const index = new Map(nodes.map(({ key }, at) => [key, at]));
  const pairs = new Uint32Array(2 * edges.length);
  for (const [at, { from, to }] of edges.entries()) {
    pairs[2 * at] = index.get(from)!;
    pairs[2 * at + 1] = index.get(to)!;
  }
  const sizes = nodes.map(sizeOf);
  const frames = new Uint32Array(frameDepth * nodes.length);
  for (const [at, node] of nodes.entries()) frames.set(node.frames ?? [], frameDepth * at);
  return {
    widths: Float32Array.from(sizes, ({ width }) => width),
    heights: Float32Array.from(sizes, ({ height }) => height),
    ports: Float32Array.from(sizes, ({ height, port }) => port ?? height / 2),
    ...(sizes.some(({ space }) => space !== undefined) && {
      spaces: Float32Array.from(sizes, ({ space }) => space ?? gaps.row),
    }),
    edges: pairs,
    ...(frames.some((group) => group > 0) && { frames }),
    ...(before && { before }),
  };
}
