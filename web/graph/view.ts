import { type Box, type Draft, draftOf } from "#web/graph/draft.ts";
import { framesOf, groupChains, groupOfFold } from "#web/graph/groups.ts";
import { alwaysNamed, maxCards } from "#web/graph/style.ts";
import { isJobType } from "#web/graph/hops.ts";
import {
  type LineageNode,
  type Model,
  reach,
  type View,
  type ViewEdge,
  type ViewNode,
} from "#web/graph/model.ts";
import { counted, words } from "#web/kit/numbers.ts";
import { t } from "#web/messages/text.ts";

export interface ViewOptions {
  /** Keys of folds that are drawn open: `fg12` for the group 12, others as the view named them. */
  unfolded?: ReadonlySet<string>;
  /** Keys of groups that `foldGroups` draws as one box; by default all that are not in `unfolded`. */
  folded?: ReadonlySet<string>;
  /** Draws groups as boxes: `foldGroups`, which is loaded where a group is one. */
  foldGroups?: (model: Model, draft: Draft, isOpen: (group: number) => boolean) => Draft;
  /** Draws jobs as lines: `jobsAsLines`. */
  asLines?: (model: Model, draft: Draft) => Draft;
  /** Leaves out neighbors where there are many: `limitNeighbours`, which is loaded where there are many boxes. */
  limit?: (model: Model, draft: Draft) => Draft;
  /** Draws more boxes than have names as a map of frames: `mapOf`. */
  asMap?: (model: Model, draft: Draft) => Draft;
  labels?: Labels;
}

/**
 * What is drawn of a model: jobs as lines, then the first neighbors of what has many, with groups folded; all of it as a map
 * where that is still too much. Every entity of the model is in the members of exactly one box, or among the jobs of lines,
 * or counted by its neighbors as left out. The model stays as it is, so everything can be undone.
 */
export function viewOf(model: Model, options: ViewOptions = {}): View {
  const { unfolded = new Set(), folded, asLines, labels = labelsOfPage() } = options;
  const isOpen = (group: number) =>
    unfolded.has(`fg${group}`) || (folded !== undefined && !folded.has(`fg${group}`));
  let draft = draftOf(model);
  if (asLines) draft = asLines(model, draft);
  const all = draft;
  if (options.limit) draft = options.limit(model, draft);
  if (options.foldGroups) draft = options.foldGroups(model, draft, isOpen);
  if (options.asMap && draft.boxes.length > alwaysNamed) draft = options.asMap(model, all);
  const hidden = hiddenNeighbours(model);
  const [frames, chains] = [framesOf(model), groupChains(model)];
  const pathOf = (id: number) => chains(id).map((group) => model.groups.get(group)!.name).join(".");
  const nodes = draft.boxes.map((box) => nodeOf(model, box, { hidden, labels, frames, pathOf }));
  addHiddenOfJobs(nodes, draft, hidden);
  const isDense = nodes.length > maxCards;
  markLines(nodes, model, isDense);
  return { nodes, edges: edgesOf(model, draft, labels, isDense) };
}

/** Jobs are tiles of one line, and in a dense drawing assets are rows, except where the question started. */
function markLines(nodes: ViewNode[], { nodes: known, roots }: Model, isDense: boolean): void {
  for (const node of nodes) {
    const id = node.members[0]!;
    if (node.kind !== "entity" || roots.includes(id)) continue;
    if (isDense) node.form = "row";
    else if (isJobType(known.get(id)?.type)) node.form = "tile";
  }
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
    if (node.reason === "frame") continue;
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
  const { key, members, reason, paged } = box;
  const framesAround = frames(box);
  // What frames of a map have besides is nobody's next step.
  const [hiddenParents, hiddenChildren] = reason === "frame" ? [0, 0] : members.map(hidden)
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
    hiddenParents: hiddenParents + (paged?.parents ?? 0),
    hiddenChildren: hiddenChildren + (paged?.children ?? 0),
    ...(paged && { paged }),
    ...(change && { change }),
  };
}

function textOf(
  model: Model,
  { key, members, reason, label }: Box,
  labels: Labels,
  pathOf: BoxFacts["pathOf"],
): { label: string; detail: string } {
  const first = model.nodes.get(members[0]!)!;
  if (reason === "group") {
    const id = groupOfFold(key)!;
    const inside = members.filter((member) => member !== id);
    const name = model.groups.get(id)?.name ?? String(id);
    return {
      label: name,
      detail: inside.length > 0 ? countText(model, inside, labels) : labels.group,
    };
  }
  if (reason === "frame") {
    return { label: label ?? "", detail: countText(model, members, labels) };
  }
  return { label: first.name, detail: detailOf(first, labels, pathOf(first.id)) };
}

/** How much is in a fold. Jobs between its assets are among its members, and are lines otherwise. */
function countText(model: Model, members: readonly number[], labels: Labels): string {
  const assets = members.filter((id) => !isJobType(model.nodes.get(id)?.type));
  const counted = assets.length > 0 ? assets : members;
  const alike = model.nodes.get(counted[0]!)!;
  const isOneType = counted.every((id) => model.nodes.get(id)?.type === alike.type);
  return labels.members(counted.length, alike, isOneType);
}

/** What it is, and where: its groups, else its source. */
function detailOf(node: LineageNode, labels: Labels, path: string): string {
  const place = path || node.source?.name;
  return place ? `${labels.kind(node)} · ${place}` : labels.kind(node);
}

/** In a dense drawing names of jobs would cover what is near; they are shown for the line under the pointer. */
function edgesOf(
  model: Model,
  { boxes, lines }: Draft,
  labels: Labels,
  isDense: boolean,
): ViewEdge[] {
  const edges: ViewEdge[] = [];
  const changes = model.changes?.ofLines(model.edges, boxes);
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [boxes[lines.from[at]!]!.key, boxes[lines.to[at]!]!.key];
    const jobs = lines.jobs[at]!;
    const key = `${from}>${to}`;
    const since = changes?.get(key);
    const isBundle = [boxes[lines.from[at]!]!, boxes[lines.to[at]!]!]
      .some(({ reason }) => reason === "frame");
    const weight = isBundle ? lines.weights[at]! : 1;
    const name = isBundle
      ? (weight > 1 ? String(weight) : "")
      : isDense
      ? ""
      : jobs.length > 1
      ? labels.jobs(jobs.length)
      : model.nodes.get(jobs[0] ?? Number.NaN)?.name ?? "";
    const label = since ? `${since.sign} ${name}`.trim() : name;
    edges.push({
      ...{ key, from, to, jobs, label },
      ...(weight > 1 && { weight }),
      ...(since && { since }),
    });
  }
  return edges;
}

/** The words of a drawing. */
interface Labels {
  /** What an entity is: `Table`. */
  kind(node: LineageNode): string;
  /** How many are in a frame: `37 tables`, or `37 assets` where they differ. */
  members(count: number, alike: LineageNode, isOneType: boolean): string;
  /** Under the name of a folded group whose members are not loaded. */
  group: string;
  jobs(count: number): string;
}

const nameOf = (node: LineageNode) => node.type ?? node.classes[0] ?? "DATA_ENTITY";

const labelsOfPage = (): Labels => ({
  kind: (node) => words(nameOf(node)),
  members: (count, alike, isOneType) =>
    isOneType ? counted(count, nameOf(alike)) : t("graph.assetCount", { count }),
  group: t("graph.group"),
  jobs: (count) => t("graph.jobCount", { count }),
});

/** How many direct neighbours of an entity are not loaded. */
interface Hidden {
  parents: number;
  children: number;
}

/**
 * The number of neighbours of an entity are not loaded: none on a side that a walk brought whole, else those that the catalogue counts and no line shows.
 */
export function hiddenNeighbours(model: Model): (id: number) => Hidden {
  const parents = new Map<number, number>();
  const children = new Map<number, number>();
  for (const { source, target } of model.edges) {
    children.set(source, (children.get(source) ?? 0) + 1);
    parents.set(target, (parents.get(target) ?? 0) + 1);
  }
  return (id) => {
    const node = model.nodes.get(id);
    if (!node) return { parents: 0, children: 0 };
    const bits = model.reached?.get(id) ?? 0;
    const left = (counted: number, loaded: number | undefined, whole: number) =>
      bits & whole ? 0 : Math.max(0, counted - (loaded ?? 0));
    return {
      parents: left(node.parents, parents.get(id), reach.allParents),
      children: left(node.children, children.get(id), reach.allChildren),
    };
  };
}
