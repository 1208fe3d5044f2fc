import type { Actor } from "#contract/actor.ts";
import {
  AppError,
  badRequest,
  invalidField,
  notFound,
  requireFound,
  tooManyRequests,
} from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone, lockEntity } from "#metadata/catalogue/entities.ts";
import { dropUploads, forgetPieces } from "#metadata/catalogue/uploads.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import {
  maxOpen,
  maxOpenOfCaller,
  maxOpenOfEntity,
} from "#services/api/features/attachments/limits.ts";

type RemovalDeps = Pick<Context, "db" | "storage" | "log">;

/** An upload, by what the path names. */
export interface UploadRef {
  entityId: number;
  uploadId: string;
}

/**
 * Begins the upload of a file; returns its id. Throws 404 for an unknown entity, 400 when it has as many files as it may, or
 * the caller has uploaded as many bytes as it may, 429 while too many uploads are not complete, in all or of the caller.
 */
export function beginUpload(
  context: Pick<Context, "db" | "config">,
  actor: Caller,
  entityId: number,
  name: string,
): Promise<string> {
  const { "max-files": max, "max-total-size-per-caller": maxMegabytes } = context.config.attachment;
  const share = shareOf(actor);
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    await countAlone(tx, "open uploads");
    const [found] = await tx.query(counts, [entityId, maxOpen, share]);
    const { files, open, openInAll, openOfCaller, bytesOfCaller } = found!;
    if (files >= max) {
      throw badRequest(`Data entity ${entityId} has ${max} files already (attachment.max-files)`);
    }
    if (bytesOfCaller >= maxMegabytes * 1_000_000) {
      throw badRequest(
        `You have uploaded ${maxMegabytes} MB already (attachment.max-total-size-per-caller)`,
      );
    }
    const isFull = open >= maxOpenOfEntity || openOfCaller >= maxOpenOfCaller;
    if (isFull || openInAll >= maxOpen) throw tooManyOpen();
    const uploadId = crypto.randomUUID();
    await tx.query(insert, [entityId, uploadId, name, share]);
    return uploadId;
  });
}

/**
 * Makes an upload a file of its entity; DataEntityFile as JSON text, also when it is complete already. Throws 404 for an
 * unknown upload, 400 while a chunk is missing.
 */
export function completeUpload(
  context: Pick<Context, "db">,
  actor: Actor,
  ref: UploadRef,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, ref.entityId);
    const upload = requireFound(
      await tx.query(lockUpload, [ref.entityId, ref.uploadId]),
      "Upload",
      ref.uploadId,
    );
    if (!upload.complete) {
      const [chunks] = await tx.query(chunksOf, [upload.id]);
      requireAll(chunks!.indexes);
      await tx.query(finish, [upload.id, chunks!.size]);
    }
    return (await tx.query(json, [upload.id]))[0]!.json;
  });
}

/**
 * Gives up an upload, whose bytes are removed. Throws 404 for an unknown one, 400 for a complete one, which is a file.
 */
export async function cancelUpload(
  context: RemovalDeps,
  actor: Actor,
  ref: UploadRef,
): Promise<void> {
  const pieces = await changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, ref.entityId);
    const { id } = requireOpen(await tx.query(lockUpload, [ref.entityId, ref.uploadId]), ref);
    return await dropUploads(tx, [id]);
  });
  await removeNow(context, pieces);
}

/** Throws 400 that names the chunks which are missing below the last one. */
function requireAll(indexes: number[]): void {
  if (indexes.length === 0) throw invalidField("index", "no chunk has come");
  const there = new Set(indexes);
  const missing = Array.from({ length: indexes.at(-1)! }, (_, at) => at)
    .filter((at) => !there.has(at));
  if (missing.length === 0) return;
  const more = missing.length > 20 ? `, and ${missing.length - 20} more` : "";
  throw invalidField("index", `missing: ${missing.slice(0, 20).join(", ")}${more}`);
}

/** The upload that was found. Throws 404 for none, 400 for one that is complete. */
export function requireOpen([upload]: Upload[], { uploadId }: UploadRef): Upload {
  if (!upload) throw notFound("Upload", uploadId);
  if (upload.complete) throw badRequest(`Upload ${uploadId} is complete: it is a file`);
  return upload;
}

function tooManyOpen(): AppError {
  return tooManyRequests("Too many uploads are not complete; complete or cancel some, or wait", 60);
}

/** Removes pieces of no file at once; what fails is left to housekeeping. Never rejects. */
export async function removeNow({ db, storage, log }: RemovalDeps, keys: string[]): Promise<void> {
  try {
    for (const key of keys) await storage.delete(key);
    await forgetPieces(db, keys);
  } catch (error) {
    log.debug("pieces are removed later", { pieces: keys.length, error });
  }
}

interface Counts {
  /** Files of the entity, with those that are being uploaded. */
  files: number;
  /** Uploads that are not complete: of the entity, and in all. */
  open: number;
  openInAll: number;
  /** Those of the caller, and bytes of its complete files. */
  openOfCaller: number;
  bytesOfCaller: number;
}

// Those in all are bounded, so that counting never costs more than what is allowed.
const counts = statement<Counts>("attachment-counts")`
  SELECT count(*)::integer AS files,
         count(*) FILTER (WHERE completed_at IS NULL)::integer AS open,
         (SELECT count(*)::integer FROM (
            SELECT FROM attachment_file WHERE completed_at IS NULL LIMIT $2) o) AS "openInAll",
         (SELECT count(*)::integer FROM attachment_file
           WHERE share = $3 AND completed_at IS NULL) AS "openOfCaller",
         (SELECT coalesce(sum(size), 0)::bigint FROM attachment_file
           WHERE share = $3 AND completed_at IS NOT NULL) AS "bytesOfCaller"
    FROM attachment_file WHERE entity_id = $1`;

const insert = statement("attachment-upload-insert")`
  INSERT INTO attachment_file (entity_id, upload_id, name, share) VALUES ($1, $2, $3, $4)`;

interface Upload {
  /** Id of the file that it becomes. */
  id: number;
  complete: boolean;
}

export const readUpload = statement<Upload>("attachment-upload")`
  SELECT f.id, f.completed_at IS NOT NULL AS complete FROM attachment_file f
    JOIN data_entity e ON e.id = f.entity_id AND NOT e.hollow
   WHERE f.upload_id = $2 AND f.entity_id = $1`;

export const lockUpload = statement<Upload>("attachment-upload-lock")`
  SELECT id, completed_at IS NOT NULL AS complete FROM attachment_file
   WHERE upload_id = $2 AND entity_id = $1 FOR UPDATE`;

interface Chunks {
  /** Indexes that are there, ascending. */
  indexes: number[];
  /** Bytes in all. */
  size: number;
}

export const chunksOf = statement<Chunks>("attachment-upload-chunks")`
  SELECT coalesce(array_agg(DISTINCT chunk ORDER BY chunk), '{}') AS indexes,
         coalesce(sum(size), 0)::bigint AS size
    FROM attachment_piece WHERE file_id = $1`;

const finish = statement("attachment-upload-complete")`
  UPDATE attachment_file SET size = $2, completed_at = now() WHERE id = $1`;

/** DataEntityFile. */
const json = statement<JsonRow>("attachment-file-json")`
  SELECT json_attachment_file(f)::text AS json FROM attachment_file f WHERE id = $1`;
