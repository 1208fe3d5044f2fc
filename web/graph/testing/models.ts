import fc from "fast-check";
import { type ApiLineage, type ApiNode, type ApiStream, emptyModel } from "#web/graph/answers.ts";
import { foldGroups } from "#web/graph/folds.ts";
import type { LineageNode, Model, View } from "#web/graph/model.ts";
import { viewOf, type ViewOptions } from "#web/graph/view.ts";

/** A view in which groups are boxes that are not opened. */
export function viewWithGroups(model: Model, options: ViewOptions = {}): View {
  return viewOf(model, { foldGroups, ...options });
}

/** A table of the source `shop`, with what a test says differently. */
export function node(id: number, given: Partial<LineageNode> = {}): LineageNode {
  return {
    id,
    name: `n${id}`,
    classes: ["DATA_SET"],
    type: "TABLE",
    status: "UNASSIGNED",
    hasAlerts: false,
    hollow: false,
    stale: false,
    parents: 0,
    children: 0,
    source: { id: 1, name: "shop" },
    technology: null,
    groups: [],
    ...given,
  };
}

export const job = { classes: ["DATA_TRANSFORMER"], type: "JOB" };

/** A model whose nodes have exactly these edges; the first node is the root by default. */
export function modelOf(
  nodes: LineageNode[],
  pairs: [number, number][],
  roots = nodes.slice(0, 1).map(({ id }) => id),
): Model {
  const model = emptyModel();
  const groups = new Set(nodes.flatMap((each) => each.groups));
  return {
    ...model,
    roots,
    nodes: new Map(nodes.map((each) => [each.id, each])),
    edges: pairs.map(([source, target]) => ({ source, target })),
    groups: new Map([...groups].map((id) => [id, { id, name: `g${id}` }])),
  };
}

/** Random models of up to 40 entities: cycles, self-loops, jobs, groups in groups, hidden neighbours. */
export const anyModel: fc.Arbitrary<Model> = fc.record({
  kinds: fc.array(
    fc.record({
      job: fc.boolean(),
      source: fc.integer({ min: 1, max: 2 }),
      groups: fc.subarray([101, 102, 103], { maxLength: 2 }),
      more: fc.integer({ min: 0, max: 1 }),
    }),
    { maxLength: 40 },
  ),
  pairs: fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 90 }),
  roots: fc.integer({ min: 0, max: 2 }),
  outer: fc.array(fc.constantFrom(101, 102, 103), { minLength: 3, maxLength: 3 }),
}).map(({ kinds, pairs, roots, outer }) => {
  const nodes = kinds.map((kind, id) =>
    node(id, {
      ...(kind.job ? job : {}),
      source: { id: kind.source, name: `s${kind.source}` },
      groups: kind.groups,
      children: kind.more,
    })
  );
  const within = pairs.filter((pair) => pair.every((id) => id < nodes.length));
  const once = [...new Map(within.map((pair) => [pair.join(), pair])).values()];
  const model = modelOf(nodes, once, nodes.slice(0, roots).map(({ id }) => id));
  for (const [at, group] of [101, 102, 103].entries()) {
    const groups = outer[at] === group ? [] : [outer[at]!];
    model.groups.set(group, { id: group, name: `g${group}`, groups });
  }
  return model;
});

/** A node as the API tells it. */
export function apiNode(id: number, given: Partial<ApiNode> = {}): ApiNode {
  return {
    id,
    catrn: `//x/${id}`,
    external_name: `n${id}`,
    internal_name: null,
    entity_classes: [{ name: "DATA_SET" }],
    type: { name: "TABLE" },
    has_alerts: false,
    data_source: { id: 1, name: "shop" },
    group_id_list: [],
    parents_count: null,
    children_count: null,
    status: { status: "UNASSIGNED" },
    is_stale: false,
    ...given,
  };
}

/** One side of an answer about `root` over a whole graph: everything within `depth` edges, as the server walks it. */
export function answer(
  pairs: [number, number][],
  root: number,
  side: "upstream" | "downstream",
  depth: number,
): ApiLineage {
  const near = side === "downstream" ? 0 : 1;
  const edges: [number, number][] = [];
  const seen = new Set([root]);
  let level = [root];
  for (let d = 0; d < depth; d++) {
    const found = pairs.filter((pair) => level.includes(pair[near]));
    edges.push(...found);
    level = [...new Set(found.map((pair) => pair[1 - near]!))].filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  const counted = (id: number) =>
    apiNode(id, {
      parents_count: pairs.filter(([, to]) => to === id).length,
      children_count: pairs.filter(([from]) => from === id).length,
    });
  const stream: ApiStream = {
    nodes: [...new Set(edges.flat())].map(counted),
    edges: edges.map(([source_id, target_id]) => ({ source_id, target_id })),
    groups: [],
  };
  return { root: apiNode(root), [side]: stream };
}
