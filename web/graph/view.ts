import { type Box, type Draft, draftOf } from "#web/graph/draft.ts";
import { framesOf, groupChains, groupOfFold } from "#web/graph/groups.ts";
import { type Hidden, hiddenNeighbours } from "#web/graph/hidden.ts";
import { english, type Labels } from "#web/graph/labels.ts";
import type { LineageNode, Model, View, ViewEdge, ViewNode } from "#web/graph/model.ts";

export interface ViewOptions {
  /** Keys of folds that are drawn open: `fg12` for the group 12, others as the view named them. */
  unfolded?: ReadonlySet<string>;
  /** Keys of groups that `foldGroups` draws as one box; by default all that are not in `unfolded`. */
  folded?: ReadonlySet<string>;
  /** Draws groups as boxes: `foldGroups`, which is loaded where a group is one. */
  foldGroups?: (model: Model, draft: Draft, isOpen: (group: number) => boolean) => Draft;
  /** Draws jobs as lines: `jobsAsLines`. */
  asLines?: (model: Model, draft: Draft) => Draft;
  /** Draws siblings as one box: `foldSiblings`, which is loaded where there are many boxes. */
  foldSiblings?: (
    model: Model,
    draft: Draft,
    unfolded: ReadonlySet<string>,
    max?: number,
  ) => Draft;
  /** So many siblings are drawn one by one; Infinity folds none. */
  maxSiblings?: number;
  labels?: Labels;
}

/**
 * What is drawn of a model: jobs as lines, then groups folded, then siblings folded. Every entity of the model is in
 * the members of exactly one box, or among the jobs of lines. The model stays as it is, so every fold can be undone.
 */
export function viewOf(model: Model, options: ViewOptions = {}): View {
  const { unfolded = new Set(), folded, asLines, labels = english } = options;
  const isOpen = (group: number) =>
    unfolded.has(`fg${group}`) || (folded !== undefined && !folded.has(`fg${group}`));
  let draft = draftOf(model);
  if (asLines) draft = asLines(model, draft);
  if (options.foldGroups) draft = options.foldGroups(model, draft, isOpen);
  if (options.foldSiblings) {
    draft = options.foldSiblings(model, draft, unfolded, options.maxSiblings);
  }
  const hidden = hiddenNeighbours(model);
  const [frames, chains] = [framesOf(model), groupChains(model)];
  const pathOf = (id: number) => chains(id).map((group) => model.groups.get(group)!.name).join(".");
  const nodes = draft.boxes.map((box) => nodeOf(model, box, { hidden, labels, frames, pathOf }));
  addHiddenOfJobs(nodes, draft, hidden);
  return { nodes, edges: edgesOf(model, draft, labels) };
}

/** What a job on a line reads or writes besides is hidden at the ends of the line. */
function addHiddenOfJobs(
  nodes: ViewNode[],
  { lines }: Draft,
  hidden: (id: number) => Hidden,
): void {
  const [before, after] = [nodes.map(() => new Set<number>()), nodes.map(() => new Set<number>())];
  for (let at = 0; at < lines.count; at++) {
    for (const job of lines.jobs[at]!) {
      after[lines.from[at]!]!.add(job);
      before[lines.to[at]!]!.add(job);
    }
  }
  for (const [at, node] of nodes.entries()) {
    for (const job of before[at]!) node.hiddenParents += hidden(job).parents;
    for (const job of after[at]!) node.hiddenChildren += hidden(job).children;
  }
}

interface BoxFacts {
  hidden: (id: number) => Hidden;
  labels: Labels;
  frames: (box: Box) => number[];
  /** Names of the groups that an entity is in: `dwh.marts`. */
  pathOf: (id: number) => string;
}

function nodeOf(model: Model, box: Box, { hidden, labels, frames, pathOf }: BoxFacts): ViewNode {
  const { key, members, reason } = box;
  const framesAround = frames(box);
  const [hiddenParents, hiddenChildren] = members.map(hidden)
    .reduce(([p, c], { parents, children }) => [p + parents, c + children], [0, 0]);
  const text = textOf(model, box, labels, pathOf);
  const kind = reason ? "fold" : "entity";
  const change = model.changes?.ofBox(members);
  return {
    key,
    kind,
    members,
    ...text,
    ...(reason && { reason }),
    ...(framesAround.length > 0 && { frames: framesAround }),
    hiddenParents,
    hiddenChildren,
    ...(change && { change }),
  };
}

function textOf(
  model: Model,
  { key, members, reason }: Box,
  labels: Labels,
  pathOf: BoxFacts["pathOf"],
): { label: string; detail: string } {
  const first = model.nodes.get(members[0]!)!;
  if (reason === "group") {
    const id = groupOfFold(key)!;
    const inside = members.filter((member) => member !== id).length;
    return { label: model.groups.get(id)?.name ?? String(id), detail: labels.group(inside) };
  }
  if (reason === "siblings") {
    const sameType = members.every((id) => model.nodes.get(id)?.type === first.type);
    return { label: labels.siblings(members.length, first, sameType), detail: "" };
  }
  return { label: first.name, detail: detailOf(first, labels, pathOf(first.id)) };
}

/** What it is, and where: its groups, else its source. */
function detailOf(node: LineageNode, labels: Labels, path: string): string {
  const place = path || node.source?.name;
  return place ? `${labels.kind(node)} · ${place}` : labels.kind(node);
}

function edgesOf(model: Model, { boxes, lines }: Draft, labels: Labels): ViewEdge[] {
  const edges: ViewEdge[] = [];
  const changes = model.changes?.ofLines(model.edges, boxes);
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [boxes[lines.from[at]!]!.key, boxes[lines.to[at]!]!.key];
    const jobs = lines.jobs[at]!;
    const name = jobs.length > 1
      ? labels.jobs(jobs.length)
      : model.nodes.get(jobs[0] ?? Number.NaN)?.name ?? "";
    const key = `${from}>${to}`;
    const since = changes?.get(key);
    const label = since ? `${since.sign} ${name}`.trim() : name;
    edges.push({ key, from, to, jobs, label, ...(since && { since }) });
  }
  return edges;
}
