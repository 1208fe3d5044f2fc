import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { byFreshness, type ChangeSet, type EntityChange } from "../change-set.ts";
import { bigint, columns, run, text } from "../statement.ts";
import { fieldKey, metadataEntries } from "../values.ts";
import * as sql from "./metadata.queries.ts";

/** Replaces the entity's external metadata by the first extension of the payload. */
export async function writeMetadata(tx: Transaction, set: ChangeSet): Promise<void> {
  const { fresh, known } = byFreshness(set);
  const added = posted(fresh, set);
  if (added.length > 0) await run(tx, sql.insert, parameters(added));
  if (known.length === 0) return;
  const ids = bigints(known.map(({ id }) => id));
  await run(tx, sql.replace, [ids, ...parameters(posted(known, set))]);
}

interface PostedValue {
  id: number;
  fieldId: number;
  text: string;
}

function posted(changes: EntityChange[], { names }: ChangeSet): PostedValue[] {
  return changes.flatMap(({ id, item }) =>
    metadataEntries(item.metadata).map(({ name, type, text }) => ({
      id,
      fieldId: names.fieldIds.get(fieldKey(name, type))!,
      text,
    }))
  );
}

function parameters(values: PostedValue[]): unknown[] {
  return columns(values, bigint((v) => v.id), bigint((v) => v.fieldId), text((v) => v.text));
}
