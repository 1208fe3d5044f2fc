import type { TestDatabase } from "#test/support/engines/database.ts";
import { retained } from "#services/housekeeping/retention.queries.ts";
import { sweepOnce } from "#services/housekeeping/retention.ts";

/** Runs one step of a retention entry by its name; `reached` is the position of a projected graph. */
export function sweeper(database: () => TestDatabase) {
  return (name: string, bound: Date | number, max: number, reached: number | null = null) => {
    const row = retained.find((one) => one.name === name);
    if (!row) throw new Error(`nothing retained is called ${name}`);
    const graph = reached === null
      ? { projection: "inline" }
      : { projection: "projected", position: () => Promise.resolve(reached) };
    return sweepOnce({ db: database().db, graph: graph as never }, row, bound, max);
  };
}
