import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { run } from "../statement.ts";
import { refresh } from "./search.queries.ts";

/** Updates search documents in the transaction that changes what they index. */
export async function writeSearch(tx: Transaction, set: ChangeSet): Promise<void> {
  if (set.changes.length > 0) {
    await run(tx, refresh, [
      bigints(set.changes.map((change) => change.id)),
    ]);
  }
}
