import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { columns, run } from "../statement.ts";
import { tagNames } from "../values.ts";
import * as sql from "./tags.queries.ts";

/** Replaces the entity's external tags by those of the payload. */
export async function writeTags(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap(({ id, item }) =>
    tagNames(item.tags).map((name) => ({ id, tagId: set.names.tagIds.get(name)! }))
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await run(tx, sql.replace, [earlier, ...columns(wanted, (w) => w.id, (w) => w.tagId)]);
}
