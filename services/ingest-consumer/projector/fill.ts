import type { ProjectedGraph } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { onGraph } from "./failures.ts";
import { liveEdges, readHead } from "#platform/ops/edges.queries.ts";

interface FillOptions {
  epoch: number;
  signal?: AbortSignal;
  /** Called after each batch with the number of edges written so far. */
  progress?: (edges: number) => void | Promise<void>;
}

/** Edges per batch. */
const batchSize = 10_000;

/**
 * Clears the graph and writes every live edge. The position stays 0 until the end and is then set to
 * the one read before the first edge, so that changes made meanwhile are projected again. If
 * interrupted, the graph is left at position 0, and the projector starts over.
 */
export async function fillGraph(
  db: Database,
  graph: Pick<ProjectedGraph, "clear" | "apply">,
  options: FillOptions,
): Promise<{ position: number; edges: number }> {
  const { epoch, signal, progress } = options;
  const position = await readHead(db);
  await onGraph(graph.clear(epoch));
  const batches = liveEdges(db, batchSize);
  let edges = 0;
  for (let next = batches.next();;) {
    const { done, value } = await next;
    if (done) break;
    signal?.throwIfAborted();
    next = batches.next();
    next.catch(() => {});
    await onGraph(graph.apply(epoch, { position: 0, entities: [], edges: value }));
    edges += value.length;
    await progress?.(edges);
  }
  await onGraph(graph.apply(epoch, { position, entities: [], edges: [] }));
  return { position, edges };
}
