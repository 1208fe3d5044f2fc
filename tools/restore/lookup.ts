import pg from "pg";
import { copyIn, copySession, named } from "#metadata/postgres/copy.ts";
import { backupSession } from "#platform/backup/create.ts";
import type { BackupReader, Manifest } from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { createDescribedTables } from "#services/api/features/lookup-tables/service.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import { setSequences, unzipped } from "./metadata.ts";

/** Creates the tables of lookup tables as the restored catalogue describes them, and fills them. */
export async function restoreLookup(
  context: Context,
  manifest: Manifest,
  reader: BackupReader,
): Promise<void> {
  const store = new LookupStore(context);
  const described = await createDescribedTables(context.db, store);
  const byName = new Map(described.map((table) => [table.physical, table]));
  const { url } = context.lookup ?? context.db;
  const client = await copySession(url, backupSession);
  try {
    await client.query("BEGIN");
    for (const { table, columns, file } of manifest.lookup) {
      const known = byName.get(table);
      // What the catalogue does not know was left by an interrupted change, and the sweep drops it.
      if (!known) continue;
      const at = { schema: store.schema, table };
      const described = new Set(known.columns.map(({ physical }) => physical));
      for (const column of columns.filter((name) => !described.has(name))) {
        await client.query(
          `ALTER TABLE ${named(at)} ADD COLUMN ${pg.escapeIdentifier(column)} text`,
        );
      }
      await copyIn(client, { ...at, columns }, unzipped(reader, file));
    }
    await setSequences(client, store.schema, manifest.lookupSequences);
    await client.query("COMMIT");
  } finally {
    await client.end().catch(() => {});
  }
}
