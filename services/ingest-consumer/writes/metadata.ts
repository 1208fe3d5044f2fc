import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { bigint, columns, run, text } from "../statement.ts";
import { fieldKey, metadataEntries } from "../values.ts";
import * as sql from "./metadata.queries.ts";

/** Replaces the entity's external metadata by the first extension of the payload. */
export async function writeMetadata(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap(({ id, item }) =>
    metadataEntries(item.metadata).map(({ name, type, text }) => ({
      id,
      fieldId: set.names.fieldIds.get(fieldKey(name, type))!,
      text,
    }))
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await run(tx, sql.replace, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.fieldId), text((w) => w.text)),
  ]);
}
