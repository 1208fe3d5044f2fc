import { StaleEpochError } from "#graph/port.ts";

/** A failure of the graph, told apart from one of the metadata. */
export class GraphFailure extends Error {
  constructor(cause: unknown) {
    super("the graph does not take batches", { cause });
    this.name = "GraphFailure";
  }
}

/** Runs work on the graph; whatever it throws but a lost epoch becomes a `GraphFailure`. */
export async function onGraph<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StaleEpochError ? error : new GraphFailure(error);
  }
}
