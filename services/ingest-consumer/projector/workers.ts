import { isProjected } from "#graph/port.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { Projector } from "./projector.ts";

/** The worker that keeps a projected graph up to date; none if the graph lives in PostgreSQL itself. */
export function projectorWorkers(context: Context): Worker[] {
  const { graph, db, leases, wakeups, clock, metrics } = context;
  if (!isProjected(graph)) return [];
  const log = context.log.with({ worker: "graph projector" });
  return [new Projector({ graph, db, leases, wakeups, clock, metrics, log })];
}
