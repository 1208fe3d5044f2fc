import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint } from "../statement.ts";
import { tagNames } from "../values.ts";
import { writeRows } from "./rows.ts";
import * as sql from "./tags.queries.ts";

/** Replaces the entity's external tags by those of the payload. */
export async function writeTags(tx: Transaction, set: ChangeSet): Promise<void> {
  await writeRows(
    tx,
    set,
    sql,
    (changes) =>
      changes.flatMap(({ id, item }) =>
        tagNames(item.tags).map((name) => ({ id, tagId: set.names.tagIds.get(name)! }))
      ),
    bigint((tag) => tag.id),
    bigint((tag) => tag.tagId),
  );
}
