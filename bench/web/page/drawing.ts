import { layoutInputOf } from "#web/graph/layout-client.ts";
import { emptyModel } from "#web/graph/answers.ts";
import { layoutOf } from "#web/graph/layout/layout.ts";
import type { LineageNode, Model } from "#web/graph/model.ts";
import { buildScene, sizeIn } from "#web/graph/scene.ts";
import { viewOf } from "#web/graph/view.ts";
import { lineageGraph } from "../graphs.ts";

/** The generated lineage as if the service had answered it. */
export function modelOfGraph(nodes: number): Model {
  const { edges } = lineageGraph(nodes);
  const model: Model = {
    ...emptyModel(),
    nodes: new Map(Array.from({ length: nodes }, (_, id) => [id, nodeOf(id)])),
    edges: Array.from({ length: edges.length / 2 }, (_, at) => ({
      source: edges[2 * at]!,
      target: edges[2 * at + 1]!,
    })),
  };
  for (const { source, target } of model.edges) {
    model.nodes.get(source)!.children++;
    model.nodes.get(target)!.parents++;
  }
  return model;
}

function nodeOf(id: number): LineageNode {
  return {
    id,
    name: `table_${id}`,
    classes: ["DATA_SET"],
    type: "TABLE",
    status: "UNASSIGNED",
    hasAlerts: id % 50 === 0,
    hollow: false,
    stale: id % 40 === 0,
    parents: 0,
    children: 0,
    source: { id: id % 5, name: `source ${id % 5}` },
    technology: null,
    groups: [],
  };
}

/** Every entity in a box of its own, laid out. */
export function drawingOfModel(model: Model) {
  const view = viewOf(model);
  const layout = layoutOf(layoutInputOf(view, sizeIn(view)));
  const scene = buildScene({ view, layout, nodes: model.nodes, roots: new Set() });
  return { view, layout, scene };
}
