import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "./failed.queries.ts";

type Deps = Pick<Context, "db">;

/** Rows that are put into the queue again in one statement. */
const batch = 1_000;

/** Messages that were not sent and replies that were not taken in, the newest first. */
export function listFailed({ db }: Deps, max: number): Promise<queries.FailedRow[]> {
  return queries.failedRows(db, max);
}

/** Puts these into their queues again: UUIDs of messages, numbers of replies. How many were there and had failed. */
export async function retryFailed({ db }: Deps, ids: string[]): Promise<number> {
  const numbers = ids.filter((id) => isNumber.test(id)).map(Number);
  const uuids = ids.filter((id) => !isNumber.test(id));
  const max = ids.length;
  // change-ok -- the queues' own state
  return await retryingTransaction(
    db,
    async (tx) =>
      await queries.retryMessages(tx, { ids: uuids, max }) +
      await queries.retryEvents(tx, { ids: numbers, max }),
  );
}

const isNumber = /^\d+$/;

/** As `retryFailed`, of all that have failed so far. */
export async function retryAllFailed({ db }: Deps): Promise<number> {
  // Only failures before this time, or repeated failures would make this endless.
  const before = await queries.storeTime(db);
  let put = 0;
  for (const retry of [queries.retryMessages, queries.retryEvents]) {
    for (let done = batch; done === batch; put += done) {
      // change-ok -- as above
      done = await retryingTransaction(db, (tx) => retry(tx, { before, max: batch }));
    }
  }
  return put;
}
