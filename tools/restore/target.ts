import pg from "pg";
import { copySession } from "#metadata/postgres/copy.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import { backupSession } from "#platform/backup/create.ts";
import { BackupError } from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { slotNames } from "#platform/ops/slot/names.ts";
import { dropTables, LookupStore } from "#services/api/features/lookup-tables/service.ts";

/**
 * Makes sure that no Tributary uses the database and that it is empty; `overwrite` allows content, which is dropped
 * when the backup is loaded. Throws `BackupError`, which says what to do. To be called before anything else connects.
 */
export async function prepareTarget(
  context: Context,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const { schema } = new LookupStore(context);
  const client = await copySession(context.db.url, backupSession);
  try {
    await refuseRunning(client, context.config.instance);
    if (!overwrite) await refuseContent(client, ["public"]);
    else await dropFeed(client, context);
  } finally {
    await client.end().catch(() => {});
  }
  const rows = context.lookup ?? context.db;
  if (overwrite) return await dropTables(rows, schema);
  const lookup = await copySession(rows.url, backupSession);
  try {
    await refuseContent(lookup, [schema]);
  } finally {
    await lookup.end().catch(() => {});
  }
}

async function refuseRunning(client: pg.Client, instance: string): Promise<void> {
  const { rows: [found] } = await client.query<{ count: number }>(sql.servingSessions, [instance]);
  if (found!.count === 0) return;
  throw new BackupError(
    `${found!.count} sessions of a running Tributary use the database: stop it, then restore`,
  );
}

async function refuseContent(client: pg.Client, schemas: string[]): Promise<void> {
  const { rows: [found] } = await client.query<{ count: number }>(sql.tableCount, [schemas]);
  if (found!.count === 0) return;
  throw new BackupError(
    `The target is not empty: its database holds ${
      found!.count
    } tables; restore into an empty one ` +
      "(an empty DATA_DIR, a new database), or replace the content with --overwrite",
  );
}

/** The notifier creates slot and publication again, and announces what the restored tables say is not announced. */
async function dropFeed(client: pg.Client, { config }: Context): Promise<void> {
  const { slot, publication } = slotNames(config);
  await client.query(sql.dropUnusedSlot, [slot]);
  await client.query(`DROP PUBLICATION IF EXISTS ${pg.escapeIdentifier(publication)}`);
}
