import { StaleEpochError } from "#graph/port.ts";
import { AppError } from "#kit/errors.ts";
import { classify } from "#metadata/database.ts";

/** A failure of the graph, told apart from one of the metadata. */
export class GraphFailure extends Error {
  constructor(cause: unknown) {
    super("the graph does not take lots", { cause });
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

/** Whether the metadata store is away for a while. */
export function isMetadataDown(error: unknown): boolean {
  return error instanceof AppError && error.status === 503 ||
    ["pause", "retry"].includes(classify(error));
}
