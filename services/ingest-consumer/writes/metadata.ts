import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, text } from "../statement.ts";
import { fieldKey, metadataEntries } from "../values.ts";
import * as sql from "./metadata.queries.ts";
import { writeRows } from "./rows.ts";

/** Replaces the entity's external metadata by the first extension of the payload. */
export async function writeMetadata(tx: Transaction, set: ChangeSet): Promise<void> {
  await writeRows(
    tx,
    set,
    sql,
    (changes) =>
      changes.flatMap(({ id, item }) =>
        metadataEntries(item.metadata).map(({ name, type, text }) => ({
          id,
          fieldId: set.names.fieldIds.get(fieldKey(name, type))!,
          text,
        }))
      ),
    bigint((value) => value.id),
    bigint((value) => value.fieldId),
    text((value) => value.text),
  );
}
