import { afterAll, beforeAll } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
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

/** A time up to which rows expire, as texts: just before it, and itself. */
export const cutoff = new Date("2030-03-01T00:00:00.000Z");
export const older = "2030-02-28T23:59:59.999Z";
export const exact = cutoff.toISOString();

/** A database of its own for tests of retention; call it at the top of a test file. */
export function retention() {
  let t: TestDatabase;
  beforeAll(async () => void (t = await testDatabase()));
  afterAll(() => t.drop());
  return {
    get db() {
      return t.db;
    },
    sweep: sweeper(() => t),
    /** The column `v` of what a statement returns. */
    values: async (statement: string): Promise<unknown[]> =>
      (await t.db.query<{ v: unknown }>(statement)).map((row) => row.v),
  };
}
