import pg from "pg";
import { copySession } from "#metadata/postgres/copy.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import { backupSession } from "#platform/backup/create.ts";
import { BackupError } from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { slotNames } from "#platform/ops/slot.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import { dropTables } from "#services/api/features/lookup-tables/service.ts";

/**
 * Makes sure that no Tributary uses the database and, unless `overwrite`, that it is empty. Throws `BackupError`, which
 * says what to do. To be called before anything else connects.
 */
export async function checkTarget(
  context: Context,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  await inSession(context.db.url, async (client) => {
    await refuseRunning(client, context.config.instance);
    if (!overwrite) await refuseContent(client, "public");
  });
  if (overwrite) return;
  const { schema } = new LookupStore(context);
  await inSession((context.lookup ?? context.db).url, (client) => refuseContent(client, schema));
}

/**
 * Drops what the former content has left outside its schema: rows of lookup tables, slot and publication. The notifier
 * creates these again, and announces what the restored tables say is not announced.
 */
export async function dropRemains(context: Context): Promise<void> {
  const { slot, publication } = slotNames(context.config);
  await inSession(context.db.url, async (client) => {
    await client.query(sql.dropUnusedSlot, [slot]);
    await client.query(`DROP PUBLICATION IF EXISTS ${pg.escapeIdentifier(publication)}`);
  });
  await dropTables(context.lookup ?? context.db, new LookupStore(context).schema);
}

/** Runs `work` in a session whose statements may take an hour. */
export async function inSession(
  url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await copySession(url, backupSession);
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function refuseRunning(client: pg.Client, instance: string): Promise<void> {
  const { rows: [found] } = await client.query<{ count: number }>(sql.servingSessions, [instance]);
  if (found!.count === 0) return;
  throw new BackupError(
    `${found!.count} sessions of a running Tributary use the database: stop it, then restore`,
  );
}

async function refuseContent(client: pg.Client, schema: string): Promise<void> {
  const { rows: [found] } = await client.query<{ count: number }>(sql.tableCount, [schema]);
  if (found!.count === 0) return;
  throw new BackupError(
    `The target is not empty: its database holds ${
      found!.count
    } tables; restore into an empty one ` +
      "(an empty DATA_DIR, a new database), or replace the content with --overwrite",
  );
}
