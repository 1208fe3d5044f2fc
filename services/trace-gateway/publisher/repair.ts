import type { Database } from "#metadata/postgres/database.ts";
import * as queries from "./repair.queries.ts";
import { publisherLease } from "./worker.ts";

const batchSize = 10_000;

/**
 * Has everything posted again that traces made of services, whatever was posted before: the running
 * publisher maps it again. Returns the number of affected services and hosts.
 */
export async function republish(
  db: Database,
  progress: (entities: number) => void = () => {},
): Promise<number> {
  let done = 0;
  for (let after: string | null = ""; after !== null;) {
    const { last, size }: { last: string | null; size: number } = await queries.forgetPosted(
      db,
      after,
      batchSize,
    );
    done += size;
    progress(done);
    after = last;
  }
  return await queries.changeAll(db);
}

export interface TracesStatus {
  publisher: queries.PublisherStatus;
  checkpoints: queries.Checkpoint[];
}

/** How far the publisher and the pairing of spans are. */
export async function tracesStatus(db: Database): Promise<TracesStatus> {
  return {
    publisher: await queries.publisherStatus(db, publisherLease),
    checkpoints: await queries.readCheckpoints(db),
  };
}
