import { type Box, type Draft, draftOf } from "#web/graph/draft.ts";
import { foldSiblings } from "#web/graph/fold.ts";
import { groupFolds } from "#web/graph/groups.ts";
import { type Hidden, hiddenNeighbours } from "#web/graph/hidden.ts";
import { english, type Labels } from "#web/graph/labels.ts";
import type { LineageNode, Model, View, ViewEdge, ViewNode } from "#web/graph/model.ts";

export interface ViewOptions {
  /** Keys of folds that are drawn open: `fg12` for the group 12, others as the view named them. */
  unfolded?: ReadonlySet<string>;
  /** Draws transformers as lines: `jobsAsLines`, which is loaded by who wants it. */
  asLines?: (model: Model, draft: Draft) => Draft;
  /** So many siblings are drawn one by one; Infinity folds none. */
  maxSiblings?: number;
  labels?: Labels;
}

/**
 * What is drawn of a model: groups folded, then jobs as lines, then siblings folded. Every entity of the model is in
 * the members of exactly one box, or among the jobs of lines. The model stays as it is, so every fold can be undone.
 */
export function viewOf(model: Model, options: ViewOptions = {}): View {
  const { unfolded = new Set(), asLines, labels = english } = options;
  let draft = draftOf(model, groupFolds(model, (group) => unfolded.has(`fg${group}`)));
  if (asLines) draft = asLines(model, draft);
  draft = foldSiblings(model, draft, unfolded, options.maxSiblings);
  const hidden = hiddenNeighbours(model);
  return {
    nodes: draft.boxes.map((box) => nodeOf(model, box, hidden, labels)),
    edges: edgesOf(model, draft, labels),
  };
}

function nodeOf(
  model: Model,
  { key, members, reason }: Box,
  hidden: (id: number) => Hidden,
  labels: Labels,
): ViewNode {
  const [hiddenParents, hiddenChildren] = members.map(hidden)
    .reduce(([p, c], { parents, children }) => [p + parents, c + children], [0, 0]);
  const text = textOf(model, key, members, reason, labels);
  const kind = reason ? "fold" : "entity";
  const change = model.changes?.ofBox(members);
  return {
    key,
    kind,
    members,
    ...text,
    ...(reason && { reason }),
    hiddenParents,
    hiddenChildren,
    ...(change && { change }),
  };
}

function textOf(
  model: Model,
  key: string,
  members: number[],
  reason: Box["reason"],
  labels: Labels,
): { label: string; detail: string } {
  const first = model.nodes.get(members[0]!)!;
  if (reason === "group") {
    const id = Number(key.slice("fg".length));
    const inside = members.filter((member) => member !== id).length;
    return { label: model.groups.get(id)?.name ?? String(id), detail: labels.group(inside) };
  }
  if (reason === "siblings") {
    const sameType = members.every((id) => model.nodes.get(id)?.type === first.type);
    return { label: labels.siblings(members.length, first, sameType), detail: "" };
  }
  return { label: first.name, detail: detailOf(first, labels) };
}

function detailOf(node: LineageNode, labels: Labels): string {
  return node.source ? `${labels.kind(node)} · ${node.source.name}` : labels.kind(node);
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
