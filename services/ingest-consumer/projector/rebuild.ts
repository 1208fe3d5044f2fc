import { isProjected, type ProjectedGraph } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { liveEdges, readHead } from "#platform/ops/edges.ts";
import { Leadership, leaseMs, onGraph } from "./leadership.ts";
import { estimateEdges, projectorLease, writeStatus } from "./queries.ts";

export type RebuildDeps = Pick<Context, "db" | "graph" | "leases" | "clock" | "log">;

interface RebuildOptions {
  signal?: AbortSignal;
  /** Edges written so far, and an estimate of the total. */
  progress?: (edges: number, estimate: number) => void;
}

type RebuildResult =
  | { projection: "inline" }
  | { projection: "projected"; edges: number; position: number };

/**
 * Clears the projected graph and projects every live edge again. Holds the lease meanwhile, so a
 * running projector stands by and then continues from here. Safe to interrupt and to repeat. Throws
 * `GraphFailure` when the graph rejects batches.
 */
export async function rebuild(
  { db, graph, leases, clock, log }: RebuildDeps,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  if (!isProjected(graph)) return { projection: "inline" };
  await graph.ensureSchema();
  const estimate = await estimateEdges(db);
  const lease = await leases.seize(projectorLease, leaseMs);
  const leadership = new Leadership({ leases, clock, log }, lease);
  try {
    await leadership.claim(graph);
    const signals = [leadership.lost, ...options.signal ? [options.signal] : []];
    const filled = await fillGraph(db, graph, {
      epoch: leadership.epoch,
      signal: AbortSignal.any(signals),
      async progress(edges) {
        await writeStatus(db, leases.holder, { position: 0, state: "rebuilding" });
        options.progress?.(edges, estimate);
      },
    });
    await writeStatus(db, leases.holder, { position: filled.position, state: "running" });
    return { projection: "projected", ...filled };
  } finally {
    await leadership.end();
  }
}

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
