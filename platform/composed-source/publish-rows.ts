import { bisectBatch } from "#kit/bisect.ts";
import { PermanentError } from "#kit/errors.ts";
import { classify, isMetadataDown, sqlState } from "#metadata/postgres/database.ts";
import { LeaseLostError } from "#metadata/postgres/leases.ts";
import { type Post, publish } from "./batches.ts";
import { LogFailure, type SourceDeps } from "./deps.ts";

/** What rows were mapped to, as far as the log lacks it. */
export interface PreparedPosts {
  posts: Post[];
  /** When they count as received, milliseconds since the epoch: later than what was posted of these rows before. */
  receivedAt: number;
}

/** How a source publishes some of its rows, and remembers that. */
interface PublishSteps<R, P extends PreparedPosts> {
  /** What is to be posted of rows. Once it has ended, nobody knows what of it the log has, until `finish` has. */
  prepare: (rows: R[]) => Promise<P>;
  /** The log has what was prepared. */
  finish: (rows: R[], prepared: P) => Promise<void>;
  /** Quarantines a row that can never be published as it is. */
  refuse: (row: R, error: unknown) => Promise<void>;
}

/** Publishes rows together. One that cannot be published is refused, and stops no other. */
export async function publishRows<R, P extends PreparedPosts>(
  deps: Pick<SourceDeps, "events" | "backpressure" | "source">,
  rows: R[],
  { prepare, finish, refuse }: PublishSteps<R, P>,
): Promise<void> {
  await bisectBatch(rows, {
    async work(some) {
      const prepared = await prepare(some);
      await publish(deps, prepared.posts, prepared.receivedAt);
      await finish(some, prepared);
    },
    isPoison,
    refuse,
  });
}

/**
 * Whether a failure is caused by what is published and would recur: not by an unreachable engine, nor
 * in a lease that is lost, nor in a statement that no data could make right.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof PermanentError) return true;
  if (error instanceof LeaseLostError || error instanceof LogFailure || isMetadataDown(error)) {
    return false;
  }
  return sqlState(error) === undefined || classify(error) === "permanent";
}
