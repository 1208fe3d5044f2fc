import { create } from "content-disposition";
import type { Actor } from "#contract/actor.ts";
import { notFound } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import type { Reply } from "#platform/operations/reply.ts";
import * as bounds from "#services/api/features/attachments/bounds.ts";
import { Downloads } from "#services/api/features/attachments/downloads.ts";
import * as queries from "#services/api/features/attachments/queries.ts";
import { takeChunk, type UploadRef } from "#services/api/features/attachments/uploads.ts";

export * from "#services/api/features/attachments/links.ts";
export * from "#services/api/features/attachments/removal.ts";
export {
  beginUpload,
  cancelUpload,
  completeUpload,
  maxFileBytes,
} from "#services/api/features/attachments/uploads.ts";

/** DataEntityAttachments as JSON text. Throws 404. */
export async function attachmentsOf({ db }: Pick<Context, "db">, entityId: number) {
  const json = await queries.attachmentsJson(db, entityId);
  if (!json) throw notFound("Data entity", entityId);
  return json;
}

/** Throws 404 for an unknown or hollow entity. */
export async function requireEntityThere(
  { db }: Pick<Context, "db">,
  entityId: number,
): Promise<void> {
  if (!await queries.entityExists(db, entityId)) throw notFound("Data entity", entityId);
}

/** Deletes a file; its bytes follow soon after. Throws 404, also for a file of another entity. */
export function deleteFile(
  context: Pick<Context, "db">,
  actor: Actor,
  entityId: number,
  id: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    if (!await queries.deleteFile(tx, entityId, id)) throw notFound("File", id);
  });
}

/** What moves bytes of files to and fro, in bounded numbers. */
export interface Transfers {
  /** Takes a chunk, in its turn. Throws as `takeChunk`, 503 when too many wait, 429 when those of the caller do. */
  upload(actor: Caller, ref: UploadRef, request: Request): Promise<void>;
  /** The file for a browser to save. Throws 404, also for a file of another entity, and as `Downloads`. */
  download(actor: Caller, entityId: number, id: number): Promise<Reply>;
}

export function createTransfers(context: Context): Transfers {
  const downloads = new Downloads(context);
  const turns = new ConcurrencyLimiter({
    ...bounds.chunkQueue,
    refused: "Too many chunks are being taken",
    refusedKey: "You send too many chunks at once",
    waiting: context.metrics.gauge(
      "tributary_attachment_chunks_waiting",
      "Chunks of files that wait to be taken",
    ),
    refusals: context.metrics.counter(
      "tributary_attachment_chunks_refused_total",
      "Chunks of files refused, since too many waited in all or of one caller",
      ["limit"],
    ),
  });
  return {
    upload: (actor, ref, request) =>
      turns.run(() => takeChunk(context, actor, ref, request), callerKey(actor)),
    async download(actor, entityId, id) {
      const file = await queries.storedFile(context.db, entityId, id);
      if (!file) throw notFound("File", id);
      const headers = {
        "content-disposition": create(file.name),
        "content-length": String(file.size),
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cache-control": "private, no-cache",
      };
      const content = await downloads.open(file, callerKey(actor));
      return { status: 200, raw: { content, contentType: file.media_type }, headers };
    },
  };
}
