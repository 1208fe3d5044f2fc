import {
  addStream,
  type ApiNode,
  type ApiRef,
  type ApiStream,
  emptyFragment,
  type LineageFragment,
  nodeOf,
  type Side,
} from "#web/graph/answers.ts";
import type {
  Changes,
  EdgeChange,
  LineageEdge,
  LineChange,
  NodeChange,
  ViewNode,
} from "#web/graph/model.ts";

/** `DataEntityLineageDiff`, with what is the same. */
export interface ApiDiff {
  root: ApiNode;
  nodes: (ApiNode & { change: NodeChange })[];
  edges: { source_id: number; target_id: number; change: EdgeChange }[];
}

/** Streams without a direction: the paths between two entities, or the lineage within a group. */
export function fromStreams(streams: ApiStream[]): LineageFragment {
  const loaded = emptyFragment();
  for (const stream of streams) addStream(loaded, stream, null);
  return loaded;
}

/** A page of the direct neighbours of `of` on one side. */
export function fromNeighbours(of: number, side: Side, items: ApiRef[]): LineageFragment {
  const loaded = emptyFragment();
  for (const item of items) {
    loaded.nodes.push({ ...nodeOf(item), brief: true });
    loaded.edges.push(
      side === "upstream" ? { source: item.id, target: of } : { source: of, target: item.id },
    );
  }
  return loaded;
}

/** Both sides of a root before and after, each with its change. */
export function fromDiffs(...diffs: ApiDiff[]): LineageFragment {
  const loaded = emptyFragment();
  const nodes = new Map<number, NodeChange>();
  const edges = new Map<string, EdgeChange>();
  for (const diff of diffs) {
    if (!loaded.roots.includes(diff.root.id)) loaded.roots.push(diff.root.id);
    for (const node of [diff.root, ...diff.nodes]) loaded.nodes.push(nodeOf(node));
    for (const { id, change } of diff.nodes) addChange(nodes, id, change);
    for (const { source_id: source, target_id: target, change } of diff.edges) {
      loaded.edges.push({ source, target });
      addChange(edges, `${source}>${target}`, change);
    }
  }
  return { ...loaded, changes: new ComparisonChanges(nodes, edges) };
}

/** Where two tell different things of one, it was there at both times. */
function addChange<K, T extends string>(known: Map<K, T | "same">, key: K, change: T): void {
  const before = known.get(key);
  known.set(key, before === undefined || before === change ? change : "same");
}

/** The sign and the text for every change of a line. */
export const lineChanges: Readonly<Record<LineChange["change"], LineChange>> = {
  added: { change: "added", sign: "+", words: "graph.cameSinceThen" },
  removed: { change: "removed", sign: "\u2212", words: "graph.goneSinceThen" },
  reached: { change: "reached", sign: "(+)", words: "graph.reachedSinceThen" },
  unreached: { change: "unreached", sign: "(\u2212)", words: "graph.noLongerReached" },
};

class ComparisonChanges implements Changes {
  constructor(
    readonly nodes: ReadonlyMap<number, NodeChange>,
    readonly edges: ReadonlyMap<string, EdgeChange>,
  ) {}

  ofNode(id: number): NodeChange | undefined {
    return this.nodes.get(id);
  }

  ofEdge({ source, target }: LineageEdge): EdgeChange | undefined {
    return this.edges.get(`${source}>${target}`);
  }

  ofBox(members: readonly number[]): ViewNode["change"] {
    const first = this.nodes.get(members[0]!);
    if (first === undefined || first === "same") return undefined;
    return members.every((id) => this.nodes.get(id) === first) ? first : undefined;
  }

  ofLines(
    edges: readonly LineageEdge[],
    boxes: readonly { key: string; members: readonly number[] }[],
  ): ReadonlyMap<string, LineChange> {
    const boxOf = new Map<number, string>();
    for (const { key, members } of boxes) for (const id of members) boxOf.set(id, key);
    const found = new Map<string, EdgeChange>();
    for (const { source, target } of edges) {
      const [from, to] = [boxOf.get(source), boxOf.get(target)];
      if (from === undefined || to === undefined) continue;
      addChange(found, `${from}>${to}`, this.ofEdge({ source, target }) ?? "same");
    }
    return new Map(
      [...found].flatMap(([line, change]) =>
        change === "same" ? [] : [[line, lineChanges[change]] as const]
      ),
    );
  }

  joined(other: Changes): Changes {
    if (!(other instanceof ComparisonChanges)) return this;
    const [nodes, edges] = [new Map(this.nodes), new Map(this.edges)];
    for (const [id, change] of other.nodes) addChange(nodes, id, change);
    for (const [pair, change] of other.edges) addChange(edges, pair, change);
    return new ComparisonChanges(nodes, edges);
  }
}
