import {
  addStream,
  type ApiRef,
  type ApiStream,
  type LineageFragment,
  nodeOf,
  nothing,
  type Side,
} from "#web/graph/answer.ts";

// Answers that come after the first: loaded when somebody asks for more.

/** Streams without a direction: the paths between two entities, or the lineage within a group. */
export function fromStreams(streams: ApiStream[], roots: number[] = []): LineageFragment {
  const loaded = { ...nothing(), roots: [...roots] };
  for (const stream of streams) addStream(loaded, stream, null);
  return loaded;
}

/** A page of the direct neighbours of `of` on one side. */
export function fromNeighbours(of: number, side: Side, items: ApiRef[]): LineageFragment {
  const loaded = nothing();
  for (const item of items) {
    loaded.nodes.push({ ...nodeOf(item), brief: true });
    loaded.edges.push(
      side === "upstream" ? { source: item.id, target: of } : { source: of, target: item.id },
    );
  }
  return loaded;
}
