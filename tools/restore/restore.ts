import { isUnsupported } from "#metadata/postgres/history/guard.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import { migrate, schemaFiles } from "#metadata/schema/migrate.ts";
import {
  type BackupReader,
  type Manifest,
  pieceName,
  verifyBackup,
} from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { acceptTimeline, lookAtServer } from "#platform/ops/failover/queries.ts";
import { activityPartitionDays } from "#services/housekeeping/retention.ts";
import { rebuild } from "#services/ingest-consumer/projector/rebuild.ts";
import { prepareLog, restoreLog } from "./event-log.ts";
import { restoreLookup } from "./lookup.ts";
import { loadMetadata } from "./metadata.ts";
import * as queries from "./queries.ts";
import { moveCheckpoints } from "./spans.ts";
import { checkTarget, dropRemains, inSession } from "./target.ts";

export interface RestoreOptions {
  /** Replaces the content of the target. */
  overwrite: boolean;
  /** The manifest, when the backup has been verified already. */
  verified?: Manifest;
  /** Called with what is done next. */
  progress?: (step: string) => void;
}

/**
 * Restores a backup into the engines of `context`, which was opened without migrating. Everything is verified before
 * the target is touched; from then until the end no process serves the database. Throws `BackupError`.
 */
export async function restoreBackup(
  context: Context,
  reader: BackupReader,
  { overwrite, verified, progress = () => {} }: RestoreOptions,
): Promise<Manifest> {
  const manifest = verified ?? await verifyBackup(reader, schemaFiles().numbered);
  await checkTarget(context, { overwrite });
  // A log that is not in the database is refused before the database is touched.
  const isSeparate = context.events.engine === "kafka";
  if (isSeparate) await prepareLog(context, manifest, { overwrite });
  progress("restoring metadata");
  const { url } = context.db;
  await inSession(url, (client) => loadMetadata(client, manifest, reader, { overwrite }));
  await migrate(url, context.log, undefined, { restoring: true });
  const positionPrefix = `restored-${crypto.randomUUID().slice(0, 8)}/`;
  await inSession(url, async (client) => {
    await client.query(queries.activityPartitions, [activityPartitionDays]);
    await client.query(queries.renamePositions, [positionPrefix]);
  });
  if (overwrite) await dropRemains(context);
  await restoreLookup(context, manifest, reader);
  progress("restoring attachments");
  await restoreAttachments(context, manifest, reader);
  progress("restoring the event log");
  if (!isSeparate) await prepareLog(context, manifest, { overwrite });
  const moved = await restoreLog(context.events, manifest, reader, positionPrefix);
  await moveCheckpoints(context.db, moved);
  progress("building the lineage graph");
  await rebuild(context);
  await forgetCommits(context.db);
  // Sessions of the former content: nobody is signed in by them.
  await context.cache.clear();
  await context.db.query(sql.endRestoring);
  return manifest;
}

/** Consumers of the log have noted commits of the former content, which the restored one need not have. */
async function forgetCommits(db: Context["db"]): Promise<void> {
  try {
    const server = await lookAtServer(db);
    if (server !== "recovering") await acceptTimeline(db, server);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

async function restoreAttachments(
  { db, storage }: Context,
  { attachments }: Manifest,
  reader: BackupReader,
): Promise<void> {
  for (const key of attachments.pieces) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.read(pieceName(key))) chunks.push(chunk);
    await storage.put(key, new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()));
  }
  if (attachments.deleted.length === 0) return;
  const rows = await db.query<{ ids: number[] | null }>(queries.dropDeletedFiles, [
    attachments.deleted,
  ]);
  await db.query(queries.dropFiles, [rows[0]?.ids ?? []]);
}
