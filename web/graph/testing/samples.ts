import { lineChanges } from "#web/graph/further-answers.ts";
import { classKeys } from "#web/graph/icons.ts";
import type { Layout, LineageNode, View, ViewNode } from "#web/graph/model.ts";
import { node } from "#web/graph/testing/models.ts";
import type { CanvasPort } from "#web/graph/paint/canvas-port.ts";
import { buildScene, type Scene, type Sides } from "#web/graph/scene.ts";
import { boxSize, type Theme } from "#web/graph/style.ts";

export const theme: Theme = {
  background: "white",
  surface: "snow",
  border: "silver",
  text: "black",
  muted: "grey",
  line: "slate",
  accent: "blue",
  onAccent: "white",
  alert: "red",
  changes: { came: "lime", left: "maroon", elsewhere: "navy" },
  classes: Object.fromEntries(classKeys.map((key) => [key, key.toLowerCase()])) as Theme["classes"],
  sources: ["teal", "olive", "plum"],
  font: "sans-serif",
};

export interface SampleNode {
  id: number;
  column: number;
  row: number;
  node?: Partial<LineageNode>;
  view?: Partial<ViewNode>;
}

export const step = { x: 340, y: 80 } as const;

/** A scene on a board: columns and rows of boxes, straight lines from id to id. */
export function boardScene(
  placed: readonly SampleNode[],
  edges: readonly (readonly [from: number, to: number, change?: keyof typeof lineChanges])[] = [],
  opened?: ReadonlyMap<string, Sides>,
): Scene {
  const nodes = new Map(placed.map(({ id, node: facts }) => [id, node(id, facts)]));
  const view: View = {
    nodes: placed.map(({ id, view }) => ({
      key: `e${id}`,
      kind: "entity",
      members: [id],
      label: nodes.get(id)!.name,
      detail: "Table",
      hiddenParents: 0,
      hiddenChildren: 0,
      ...view,
    })),
    edges: edges.map(([from, to, change]) => ({
      key: `e${from}>e${to}`,
      from: `e${from}`,
      to: `e${to}`,
      jobs: [],
      label: change ? lineChanges[change].sign : "",
      ...(change && { since: lineChanges[change] }),
    })),
  };
  return buildScene({
    view,
    layout: boardLayout(placed, edges),
    nodes,
    roots: new Set([1]),
    opened,
  });
}

function boardLayout(
  placed: readonly SampleNode[],
  edges: readonly (readonly [from: number, to: number, ...unknown[]])[],
): Layout {
  const at = new Map(placed.map((box) => [box.id, box]));
  const points = edges.flatMap(([from, to]) => {
    const [a, b] = [at.get(from)!, at.get(to)!];
    const middle = boxSize.height / 2;
    return [
      a.column * step.x + boxSize.width,
      a.row * step.y + middle,
      b.column * step.x,
      b.row * step.y + middle,
    ];
  });
  const max = (of: (box: SampleNode) => number) =>
    placed.reduce((m, box) => Math.max(m, of(box)), 0);
  return {
    x: Float32Array.from(placed, ({ column }) => column * step.x),
    y: Float32Array.from(placed, ({ row }) => row * step.y),
    layers: Uint32Array.from(placed, ({ column }) => column),
    points: Float32Array.from(points),
    offsets: Uint32Array.from({ length: edges.length + 1 }, (_, line) => 2 * line),
    reversed: Uint8Array.from(
      edges,
      ([from, to]) => at.get(from)!.column > at.get(to)!.column ? 1 : 0,
    ),
    width: max(({ column }) => column) * step.x + boxSize.width,
    height: max(({ row }) => row) * step.y + boxSize.height,
  };
}

/** A board of boxes, each with a line to a box near by in the next column, as a layout makes them. */
export function largeScene(columns: number, rows: number, sources = 3): Scene {
  const placed: SampleNode[] = [];
  const edges: [number, number][] = [];
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const id = column * rows + row + 1;
      placed.push({ id, column, row, node: { source: { id: id * 7 % sources, name: "s" } } });
      if (column + 1 < columns) {
        edges.push([
          id,
          (column + 1) * rows + Math.min(Math.max(row + (row * 7) % 11 - 5, 0), rows - 1) + 1,
        ]);
      }
    }
  }
  return boardScene(placed, edges);
}

/** A context that writes down what is asked of it; texts are 0.6 of the font wide a character. */
export function recorder() {
  const calls: string[] = [];
  const describe = (value: unknown) =>
    typeof value === "number" ? Math.round(value * 100) / 100 : String(value);
  const set = new Map<string | symbol, unknown>();
  const brush = new Proxy({} as CanvasPort, {
    get(_, name) {
      if (name === "measureText") {
        const size = Number(/(\d+)px/.exec(String(set.get("font")))?.[1] ?? 10);
        return (text: string) => ({ width: text.length * size * 0.6 });
      }
      return (...given: unknown[]) =>
        void calls.push(`${String(name)}(${given.map(describe).join(",")})`);
    },
    set(_, name, value) {
      set.set(name, value);
      calls.push(`${String(name)}=${describe(value)}`);
      return true;
    },
  });
  return { brush, calls };
}
