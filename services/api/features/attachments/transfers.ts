import { create } from "content-disposition";
import { notFound } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import type { Reply } from "#platform/operations/reply.ts";
import * as bounds from "#services/api/features/attachments/bounds.ts";
import { Downloads } from "#services/api/features/attachments/downloads.ts";
import * as queries from "#services/api/features/attachments/queries.ts";
import {
  beginUpload,
  takeChunk,
  type UploadRef,
} from "#services/api/features/attachments/uploads.ts";

/**
 * What moves bytes of files to and fro, in bounded numbers, of which each caller has its share. Throws 503 when too many wait,
 * 429 when those of the caller do.
 */
export interface Transfers {
  /** Begins an upload, in its turn; its id. Throws as `beginUpload`. */
  begin(actor: Caller, entityId: number, name: string): Promise<string>;
  /** Takes a chunk, in its turn. Throws as `takeChunk`. */
  upload(actor: Caller, ref: UploadRef, request: Request): Promise<void>;
  /** The file for a browser to save. Throws 404, also for a file of another entity, and as `Downloads`. */
  download(actor: Caller, entityId: number, id: number): Promise<Reply>;
}

export function createTransfers(context: Context): Transfers {
  const downloads = new Downloads(context);
  const { starts, chunks } = queuesOf(context);
  return {
    begin: (actor, entityId, name) =>
      starts.run(() => beginUpload(context, actor, entityId, name), callerKey(actor)),
    upload: (actor, ref, request) =>
      chunks.run(() => takeChunk(context, actor, ref, request), callerKey(actor)),
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

function queuesOf({ metrics }: Pick<Context, "metrics">) {
  const starts = new ConcurrencyLimiter({
    ...bounds.startQueue,
    refused: "Too many uploads are being begun",
    refusedKey: "You begin too many uploads at once",
    waiting: metrics.gauge(
      "tributary_attachment_starts_waiting",
      "Uploads of files waiting to start",
    ),
  });
  const chunks = new ConcurrencyLimiter({
    ...bounds.chunkQueue,
    refused: "Too many chunks are being taken",
    refusedKey: "You send too many chunks at once",
    waiting: metrics.gauge(
      "tributary_attachment_chunks_waiting",
      "Chunks of files waiting to be accepted",
    ),
    refusals: metrics.counter(
      "tributary_attachment_chunks_refused_total",
      "Chunks of files refused because too many were waiting, in total or from one caller",
      ["limit"],
    ),
  });
  return { starts, chunks };
}
