import { isProjected } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import { estimateEdges, projectorLease, writeStatus } from "./queries.ts";
import { fillGraph } from "./fill.ts";
import { Leadership, leaseMs } from "./leadership.ts";

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
