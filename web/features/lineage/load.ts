import { reach } from "#web/graph/model.ts";
import { fromLineage, type LineageFragment } from "#web/graph/answers.ts";
import {
  allDepth,
  edgesFor,
  neighboursOf,
  side,
  type SideAnswer,
} from "#web/features/lineage/sides.ts";
import type { Depth, Extent, LineageState, Side, Step } from "#web/features/lineage/address.ts";
import { hub, type Piece, withCounts, withSide } from "#web/features/lineage/fragments.ts";

/** What is asked once somebody goes on from a drawing, looks into a group, or compares. */
const further = () => import("#web/features/lineage/load-further.ts");

/** A question to the service, with the key under which its answer is remembered. */
export interface Question {
  key: readonly unknown[];
  ask: (signal: AbortSignal) => Promise<Piece>;
}

export function queryFor({ key, ask }: Question) {
  return {
    queryKey: key,
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(signal),
    structuralSharing: false,
  };
}

/** When a drawing is of, as the address says. */
type Moment = Pick<LineageState, "asOf" | "compare">;

/** The first question of a drawing: the surroundings of an entity, or what is among the members of a group. */
export function rootQuestion(
  id: number,
  state: Pick<LineageState, "up" | "down" | "members"> & Moment,
): Question {
  const { up, down, members, asOf } = state;
  if (members) {
    return {
      key: ["/api/dataentitygroups/{data_entity_group_id}/lineage", id, asOf],
      ask: async (signal) => (await further()).amongMembers(id, asOf, signal),
    };
  }
  const wanted = extentsOf(up, down);
  if (asOf && state.compare) return comparison(id, wanted, asOf);
  const [one, other] = wanted;
  return one && !other && !asOf ? sideFirst(id, one) : walks(id, wanted, asOf);
}

/** What lies on some sides of an entity. */
function walks(id: number, wanted: SideExtent[], asOf: string | null): Question {
  return {
    key: ["/api/dataentities/{data_entity_id}/lineage", id, wanted, asOf],
    ask: async (signal) => {
      const sides = await Promise.all(
        wanted.map(({ of, depth }) => side(id, of, { depth, asOf }, signal)),
      );
      return {
        ...loadedOf(id, sides),
        truncated: sides.find(({ truncated }) => truncated)?.truncated ?? null,
        position: Math.min(...sides.map(({ position }) => position)),
      };
    },
  };
}

interface SideExtent {
  of: Side;
  depth: Depth;
}

/** The sides that are read; where none is wanted, the next neighbours, so that there is something to begin with. */
function extentsOf(up: Extent, down: Extent): SideExtent[] {
  if (up === 0 && down === 0) return extentsOf(1, 1);
  const sides: SideExtent[] = [];
  if (up !== 0) sides.push({ of: "upstream", depth: up });
  if (down !== 0) sides.push({ of: "downstream", depth: down });
  return sides;
}

/**
 * The question of a step; null for one that reads nothing. Of the past there are neither pages of neighbours, so all
 * are read at once, nor paths between two.
 */
export function stepQuestion(step: Step, { asOf, compare }: Moment): Question | null {
  if (step.kind === "close" || step.kind === "more" || step.kind === "pick") return null;
  const { id } = step;
  if (asOf !== null) {
    if (step.kind === "paths") return null;
    const sides = [{ of: step.side, depth: step.kind === "open" ? step.depth : 1 }];
    return withoutRoots(compare ? comparison(id, sides, asOf) : walks(id, sides, asOf));
  }
  if (step.kind === "paths") {
    return {
      key: ["/api/dataentities/{data_entity_id}/lineage/paths", id, step.to],
      ask: async (signal) => (await further()).between(id, step.to, signal),
    };
  }
  if (step.kind === "page") {
    const page = { page: step.page, size: hub.page };
    return {
      key: ["/api/dataentities/{data_entity_id}/lineage", id, step.side, page],
      ask: async (signal) => (await further()).pageOf(id, step.side, page, signal),
    };
  }
  return withoutRoots(walks(id, [{ of: step.side, depth: step.depth }], asOf));
}

/** One side, with how much there is on the other. */
function sideFirst(id: number, wanted: SideExtent): Question {
  const { key, ask } = walks(id, [wanted], null);
  const other = wanted.of === "upstream" ? "downstream" : "upstream";
  return {
    key: [...key, "first"],
    ask: async (signal) => {
      const [found, beyond] = await Promise.all([
        ask(signal),
        neighboursOf(id, other, { page: 1, size: 1 }, signal),
      ]);
      return { ...found, loaded: withSide(found.loaded, id, other, beyond.page_info.total) };
    },
  };
}

/** What sides of an entity add to a drawing, and how to get what lies further away. */
function loadedOf(id: number, sides: readonly SideAnswer[]): Pick<Piece, "loaded" | "beyond"> {
  const loaded = withCounts(fromLineage(...sides.map(({ lineage }) => lineage)), id);
  for (const { of, cut } of sides) unmark(loaded, cut, of);
  const isCut = sides.some(({ lineage, walked }) => walked !== lineage);
  const beyond = isCut ? () => fromLineage(...sides.map(({ walked }) => walked)) : undefined;
  return { loaded, beyond };
}

/** A step adds to a drawing; it begins where that begins. */
function withoutRoots(question: Question): Question {
  const ask = async (signal: AbortSignal) => {
    const piece = await question.ask(signal);
    return { ...piece, loaded: { ...piece.loaded, roots: [] } };
  };
  return { ...question, ask, key: [...question.key, "step"] };
}

/** Takes back that an answer has all neighbours of some entities on a side. */
function unmark({ reached }: LineageFragment, ids: Iterable<number>, of: Side): void {
  const bit = of === "upstream" ? reach.allParents : reach.allChildren;
  for (const id of ids) reached.set(id, (reached.get(id) ?? 0) & ~bit);
}

/**
 * What became of some sides of an entity since a time. The service compares by edges: a hop is taken to have two, to a
 * job and from it.
 */
function comparison(id: number, sides: SideExtent[], from: string): Question {
  const deepest = sides.some(({ depth }) => depth === "all")
    ? allDepth
    : Math.max(...sides.map(({ depth }) => edgesFor(depth)));
  const query = { from, include_same: true, lineage_depth: deepest };
  const directions = sides.map(({ of }) => of);
  return {
    key: ["diff", directions, id, query],
    ask: async (signal) => (await further()).comparisonOf(id, directions, query, signal),
  };
}
