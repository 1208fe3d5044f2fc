import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { bigint, columns, run } from "../statement.ts";
import { tagNames } from "../values.ts";
import * as sql from "./tags.queries.ts";

/** Replaces the entity's external tags by those of the payload. */
export async function writeTags(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap(({ id, item }) =>
    tagNames(item.tags).map((name) => ({ id, tagId: set.names.tagIds.get(name)! }))
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await run(tx, sql.replace, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.tagId)),
  ]);
}
