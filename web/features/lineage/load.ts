import { ask, type Schema } from "#web/api/client.ts";
import { type ApiLineage, fromLineage, type LineageFragment } from "#web/graph/answer.ts";
import { neighboursOf, pieceOf } from "#web/features/lineage/asking.ts";
import type { Depth, LineageState, Side, Step } from "#web/features/lineage/address.ts";
import {
  firstPage,
  hub,
  type Piece,
  withCounts,
  withSide,
} from "#web/features/lineage/fragments.ts";

/** What is asked once somebody goes on from a drawing. */
const further = () => import("#web/features/lineage/load-further.ts");

/** The service walks no further than its budgets, which answers tell. */
const allDepth = 1_000_000;

/** A question to the service, with the key under which its answer is remembered. */
export interface Question {
  key: readonly unknown[];
  ask: (signal: AbortSignal) => Promise<Piece>;
}

/** The query that remembers the answer to a question. */
export function queryFor({ key, ask }: Question) {
  return {
    queryKey: key,
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(signal),
    structuralSharing: false,
  };
}

/** When a drawing is of, as the address says. */
export type Moment = Pick<LineageState, "asOf" | "compare">;

/** The first question of a drawing: the surroundings of an entity, or what is among the members of a group. */
export function rootQuestion(
  id: number,
  state: Pick<LineageState, "depth" | "only" | "members"> & Moment,
): Question {
  const { depth, only, members, asOf } = state;
  if (members) {
    return {
      key: ["/api/dataentitygroups/{data_entity_group_id}/lineage", id, asOf],
      ask: async (signal) => (await further()).amongMembers(id, asOf, signal),
    };
  }
  if (asOf && state.compare) {
    return comparison(id, only ? [only] : ["upstream", "downstream"], depth, asOf);
  }
  const wanted = { depth, asOf };
  if (only) return asOf ? sideAlone(id, only, wanted) : sideFirst(id, only, wanted);
  return {
    key: ["/api/dataentities/{data_entity_id}/lineage", id, depth, asOf],
    ask: async (signal) => {
      const [up, down] = await Promise.all([
        side(id, "upstream", wanted, signal),
        side(id, "downstream", wanted, signal),
      ]);
      const truncated = up.truncated ?? down.truncated;
      return {
        ...loadedOf(id, [up, down]),
        truncated,
        position: Math.min(up.position, down.position),
      };
    },
  };
}

/**
 * The question of a step; null for one that only takes away. Of the past there are neither pages of neighbours, so all
 * are read at once, nor paths between two.
 */
export function stepQuestion(step: Step, { asOf, compare }: Moment): Question | null {
  if (step.kind === "close") return null;
  const { id } = step;
  if (asOf !== null) {
    if (step.kind === "paths") return null;
    const depth = step.kind === "open" ? step.depth : 1;
    if (compare) return withoutRoots(comparison(id, [step.side], depth, asOf));
    return withoutRoots(sideAlone(id, step.side, { depth, asOf }));
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
  return withoutRoots(sideAlone(id, step.side, { depth: step.depth, asOf }));
}

/** One side, with how much there is on the other. */
function sideFirst(id: number, of: Side, wanted: LoadParams): Question {
  const { key, ask } = sideAlone(id, of, wanted);
  const other = of === "upstream" ? "downstream" : "upstream";
  return {
    key: [...key, "first"],
    ask: async (signal) => {
      const [found, beyond] = await Promise.all([
        ask(signal),
        neighboursOf(id, other, { page: 1, size: 1 }, signal),
      ]);
      const counted = (loaded: LineageFragment) =>
        withSide(loaded, id, other, beyond.page_info.total);
      const { loaded, whole } = found;
      return { ...found, loaded: counted(loaded), ...(whole && { whole: counted(whole) }) };
    },
  };
}

function sideAlone(id: number, of: Side, wanted: LoadParams): Question {
  const { depth, asOf } = wanted;
  return {
    key: [`/api/dataentities/{data_entity_id}/lineage/${of}`, id, depth, asOf],
    ask: async (signal) => {
      const one = await side(id, of, wanted, signal);
      return { ...loadedOf(id, [one]), position: one.position, truncated: one.truncated };
    },
  };
}

/** What sides of an entity add to a drawing, and all of them where the drawing takes less. */
function loadedOf(
  id: number,
  sides: readonly { lineage: ApiLineage; all: ApiLineage }[],
): Pick<Piece, "loaded" | "whole"> {
  const of = (lineages: ApiLineage[]) => withCounts(fromLineage(...lineages), id);
  const loaded = of(sides.map(({ lineage }) => lineage));
  if (sides.every(({ lineage, all }) => lineage === all)) return { loaded };
  return { loaded, whole: of(sides.map(({ all }) => all)) };
}

/** A step adds to a drawing; it begins where that begins. */
function withoutRoots(question: Question): Question {
  const ask = async (signal: AbortSignal) => {
    const piece = await question.ask(signal);
    const { loaded, whole } = piece;
    return {
      ...piece,
      loaded: { ...loaded, roots: [] },
      ...(whole && { whole: { ...whole, roots: [] } }),
    };
  };
  return { ...question, ask, key: [...question.key, "step"] };
}

/** What became of some sides of an entity since a time; few ask for it, so it is loaded then. */
function comparison(id: number, sides: Side[], depth: Depth, from: string): Question {
  const query = { from, include_same: true, lineage_depth: depth === "all" ? allDepth : depth };
  return {
    key: ["diff", sides, id, query],
    ask: async (signal) => {
      const { compared } = await import("#web/features/lineage/compare.ts");
      const { loaded, headers } = await compared(id, sides, query, signal);
      const pieces = headers.map((each) => pieceOf(null, each));
      return {
        loaded,
        position: Math.min(...pieces.map(({ position }) => position ?? 0)),
        truncated: pieces.find(({ truncated }) => truncated)?.truncated ?? null,
      };
    },
  };
}

interface LoadParams {
  depth: Depth;
  asOf: string | null;
}

/** One side as it is between entities: groups are folded by the drawing alone. */
async function side(id: number, of: Side, { depth, asOf }: LoadParams, signal: AbortSignal) {
  const query = {
    lineage_depth: depth === "all" ? allDepth : depth,
    expand: "all" as const,
    ...(asOf !== null && { as_of: asOf }),
  };
  const params = { path: { data_entity_id: id }, query };
  const { data, headers } = await ask("get", `/api/dataentities/{data_entity_id}/lineage/${of}`, {
    params,
    signal,
  });
  const all: ApiLineage = data as Schema<"DataEntityLineage">;
  const { position, truncated } = pieceOf(null, headers);
  return {
    all,
    lineage: depth === 1 && asOf === null ? firstPage(all, of) : all,
    position: position ?? 0,
    truncated,
  };
}
