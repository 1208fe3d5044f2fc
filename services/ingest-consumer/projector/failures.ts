import { StaleEpochError } from "#graph/port.ts";

/** A failure of the graph store, as opposed to the metadata store. */
export class GraphFailure extends Error {
  constructor(cause: unknown) {
    super("the graph does not take batches", { cause });
    this.name = "GraphFailure";
  }
}

/** Runs work on the graph; wraps every error in a `GraphFailure`, except a lost epoch. */
export async function onGraph<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StaleEpochError ? error : new GraphFailure(error);
  }
}
