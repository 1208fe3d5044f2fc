import type { ImpactRow } from "#web/graph/export/impact.ts";
import { withGroupsAbove } from "#web/graph/groups.ts";
import { emptyModel, merge } from "#web/graph/answers.ts";
import type { EdgeChange, LineageNode, Model } from "#web/graph/model.ts";
import { walkable } from "#web/graph/adjacency.ts";
import { type Hops, hopsFrom } from "#web/graph/walks.ts";
import type { Piece } from "#web/features/lineage/fragments.ts";
import { t } from "#web/messages/text.ts";

/** What an entity has an effect on, and what has one on it. */
export interface Impact {
  rows: ImpactRow[];
  /** False when a budget of the service ended a walk, or an answer is missing: then there may be more. */
  complete: boolean;
}

/** A missing piece could not be read. */
type Pieces = readonly (Piece | undefined)[];

/**
 * The entities of the answers `listed`, whatever the drawing folds, pages or closes. Their distances are those over all
 * edges, also those of `beyond` and further
 * away: what was opened on from another entity may be nearer another way.
 */
export function impactOf(listed: Pieces, beyond: Pieces = []): Impact {
  const loaded = (pieces: Pieces) => pieces.flatMap((piece) => piece?.loaded ?? []);
  const model = loaded(listed).reduce(merge, emptyModel());
  const further = listed.flatMap((piece) => piece?.beyond?.() ?? []);
  const all = [...loaded(beyond), ...further].reduce(merge, model);
  return {
    rows: impactRows(all, [...model.nodes.keys()].map((id) => all.nodes.get(id)!)),
    complete: [...listed, ...beyond].every((piece) => piece?.truncated === null),
  };
}

/**
 * Entities by how far they are: the start, then what it feeds, then what does both, then what feeds it, then what is
 * connected otherwise; equals by name.
 */
export function impactRows(
  model: Model,
  nodes: Iterable<LineageNode> = model.nodes.values(),
): ImpactRow[] {
  const hopsOf = hopsIn(model);
  const rows = [...nodes].map((node): ImpactRow => rowOf(node, hopsOf(node.id)));
  // A collator that is made once compares many times faster than the names themselves.
  const { compare } = new Intl.Collator();
  const place = { root: 0, downstream: 1, both: 2, upstream: 3, beside: 4 } as const;
  return rows.sort((a, b) =>
    place[a.side] - place[b.side] || (a.distance ?? 0) - (b.distance ?? 0) ||
    compare(a.node.name, b.node.name) || a.node.id - b.node.id
  );
}

function rowOf(node: LineageNode, hops: Hops): ImpactRow {
  const { upstream: up, downstream: down } = hops;
  if (up === null && down === null) return { node, side: "beside", distance: null, hops };
  const distance = Math.min(up ?? Infinity, down ?? Infinity);
  if (distance === 0) return { node, side: "root", distance, hops };
  const side = up === null ? "downstream" : down === null ? "upstream" : "both";
  return { node, side, distance, hops };
}

/**
 * Hops of entities from the roots. Where two times are compared, those of now, and of what is gone those of then: a way
 * that is partly of each time was never there.
 */
function hopsIn(model: Model): (id: number) => Hops {
  const starts = startsOf(model);
  const { changes } = model;
  const nowhere: Hops = { upstream: null, downstream: null };
  const without = (absent: EdgeChange) => {
    const edges = model.edges.filter((edge) => changes?.ofEdge(edge) !== absent);
    return hopsFrom(walkable({ nodes: model.nodes, edges }), starts);
  };
  if (!changes) {
    const hops = hopsFrom(walkable(model), starts);
    return (id) => hops.get(id) ?? nowhere;
  }
  const [now, before] = [without("removed"), without("added")];
  return (id) => (changes.ofNode(id) === "left" ? before : now).get(id) ?? nowhere;
}

/** Where the service began: the roots, and everything in those that are groups. */
function startsOf(model: Model): Set<number> {
  const starts = new Set(model.roots);
  const known = new Map<number, boolean>();
  const isWithinRoot = (group: number): boolean => {
    const is = known.get(group) ??
      withGroupsAbove(model, [group]).intersection(new Set(model.roots)).size > 0;
    known.set(group, is);
    return is;
  };
  for (const { id, groups } of model.nodes.values()) if (groups.some(isWithinRoot)) starts.add(id);
  return starts;
}

/** How far in words: `Start`, `2 down`, `1 up, 3 down`. */
export function distanceText({ side, hops: { upstream, downstream } }: ImpactRow): string {
  if (side === "root") return t("lineage.start");
  if (side === "beside") return t("lineage.beside");
  const ways = [[upstream, "up"], [downstream, "down"]] as const;
  return ways.flatMap(([hops, way]) => (hops === null ? [] : `${hops} ${way}`)).join(", ");
}
