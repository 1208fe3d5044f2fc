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
}

/**
 * What is drawn of a model: jobs as lines, then the first neighbors of what has many, with groups folded; all of it as a map
 * where that is still too much. Every entity of the model is in the members of exactly one box, or among the jobs of lines,
 * or counted by its neighbors as left out. The model stays as it is, so everything can be undone.
 */
export function viewOf(model: Model, options: ViewOptions = {}): View {
  const { unfolded = new Set(), folded, asLines } = options;
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
  const nodes = draft.boxes.map((box) => nodeOf(model, box, { hidden, frames, pathOf }));
  addHiddenOfJobs(nodes, draft, hidden);
  const isDense = nodes.length > maxCards;
  markLines(nodes, model, isDense);
  return { nodes, edges: edgesOf(model, draft, isDense) };
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
  frames: (box: Box) => number[];
  /** Names of the groups that an entity is in: `dwh.marts`. */
  pathOf: (id: number) => string;
}

function nodeOf(model: Model, box: Box, { hidden, frames, pathOf }: BoxFacts): ViewNode {
  const { key, members, reason, paged } = box;
  // What frames of a map have besides is nobody's next step.
  const [hiddenParents, hiddenChildren] = reason === "frame" ? [0, 0] : members.map(hidden)
    .reduce(([p, c], { parents, children }) => [p + parents, c + children], [0, 0]);
  return {
    key,
    kind: reason ? "fold" : "entity",
    members,
    ...textOf(model, box, pathOf),
    reason,
    frames: frames(box),
    hiddenParents: hiddenParents + (paged?.parents ?? 0),
    hiddenChildren: hiddenChildren + (paged?.children ?? 0),
    paged,
    change: model.changes?.ofBox(members),
  };
}

function textOf(
  model: Model,
  { key, members, reason, label }: Box,
  pathOf: BoxFacts["pathOf"],
): { label: string; detail: string } {
  const first = model.nodes.get(members[0]!)!;
  if (reason === "group") {
    const id = groupOfFold(key)!;
    const inside = members.filter((member) => member !== id);
    const name = model.groups.get(id)?.name ?? String(id);
    // Its members may not be loaded.
    const detail = inside.length > 0 ? countText(model, inside) : t("graph.group");
    return { label: name, detail };
  }
  if (reason === "frame") return { label: label ?? "", detail: countText(model, members) };
  // What it is, and where: its groups, else its source.
  const place = pathOf(first.id) || first.source?.name;
  const kind = words(nameOf(first));
  return { label: first.name, detail: place ? `${kind} · ${place}` : kind };
}

const nameOf = (node: LineageNode) => node.type ?? node.classes[0] ?? "DATA_ENTITY";

/**
 * How much is in a fold: `37 tables`, or `37 assets` where they differ. Jobs between its assets are among its members, and
 * are lines otherwise.
 */
function countText(model: Model, members: readonly number[]): string {
  const assets = members.filter((id) => !isJobType(model.nodes.get(id)?.type));
  const listed = assets.length > 0 ? assets : members;
  const count = listed.length;
  const alike = model.nodes.get(listed[0]!)!;
  const isOneType = listed.every((id) => model.nodes.get(id)?.type === alike.type);
  return isOneType ? counted(count, nameOf(alike)) : t("graph.assetCount", { count });
}

/** In a dense drawing names of jobs would cover what is near; they are shown for the line under the pointer. */
function edgesOf(model: Model, { boxes, lines }: Draft, isDense: boolean): ViewEdge[] {
  const changes = model.changes?.ofLines(model.edges, boxes);
  const nameOfJobs = ([job, ...others]: readonly number[]) =>
    others.length > 0
      ? t("graph.jobCount", { count: others.length + 1 })
      : model.nodes.get(job ?? Number.NaN)?.name ?? "";
  return lines.jobs.map((jobs, at) => {
    const [from, to] = [boxes[lines.from[at]!]!, boxes[lines.to[at]!]!];
    const key = `${from.key}>${to.key}`;
    const since = changes?.get(key);
    const isBundle = from.reason === "frame" || to.reason === "frame";
    const weight = isBundle ? lines.weights[at]! : 1;
    const nameOfBundle = weight > 1 ? String(weight) : "";
    const name = isBundle || isDense ? nameOfBundle : nameOfJobs(jobs);
    const label = since ? `${since.sign} ${name}`.trim() : name;
    return {
      key,
      from: from.key,
      to: to.key,
      jobs,
      label,
      weight: weight > 1 ? weight : undefined,
      since,
    };
  });
}

/** How many direct neighbours of an entity are not loaded. */
interface Hidden {
  parents: number;
  children: number;
}

/** None on a side that a walk brought whole, else those that the catalogue counts and no line shows. */
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
