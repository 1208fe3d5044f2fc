import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { byFreshness, type ChangeSet, type EntityChange } from "../change-set.ts";
import { bigint, columns, run } from "../statement.ts";
import { tagNames } from "../values.ts";
import * as sql from "./tags.queries.ts";

/** Replaces the entity's external tags by those of the payload. */
export async function writeTags(tx: Transaction, set: ChangeSet): Promise<void> {
  const { fresh, known } = byFreshness(set);
  const added = posted(fresh, set);
  if (added.length > 0) await run(tx, sql.insert, parameters(added));
  if (known.length === 0) return;
  const ids = bigints(known.map(({ id }) => id));
  await run(tx, sql.replace, [ids, ...parameters(posted(known, set))]);
}

interface PostedTag {
  id: number;
  tagId: number;
}

function posted(changes: EntityChange[], { names }: ChangeSet): PostedTag[] {
  return changes.flatMap(({ id, item }) =>
    tagNames(item.tags).map((name) => ({ id, tagId: names.tagIds.get(name)! }))
  );
}

function parameters(tags: PostedTag[]): unknown[] {
  return columns(tags, bigint((tag) => tag.id), bigint((tag) => tag.tagId));
}
