import type { Actor } from "#contract/actor.ts";
import { AppError, badRequest, notFound, tooLarge, unavailable } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone, lockEntity } from "#metadata/catalogue/entities.ts";
import { dropUploads, forgetPieces, uploadLife } from "#metadata/catalogue/uploads.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { readMultipart } from "#platform/http/multipart.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import {
  lateWrites,
  maxChunks,
  maxOpen,
  maxOpenOfCaller,
  maxOpenOfEntity,
  pieceBytes,
} from "#services/api/features/attachments/limits.ts";
import { headBytes, mediaTypeOf } from "#services/api/features/attachments/schemas.ts";
import * as queries from "#services/api/features/attachments/uploads.queries.ts";

type PieceDeps = Pick<Context, "db" | "storage" | "clock" | "log">;

type Deps = PieceDeps & Pick<Context, "config">;

/** An upload, by what the path names. */
export interface UploadRef {
  entityId: number;
  uploadId: string;
}

/** What was written of one chunk so far. */
interface WrittenChunk {
  /** Objects; the last one may be missing. */
  keys: string[];
  size: number;
  /** The first bytes. */
  head: Uint8Array;
}

/** Largest file, bytes. */
export function maxFileBytes({ config }: Pick<Context, "config">): number {
  return config.attachment["max-file-size"] * 1_000_000;
}

/**
 * Begins the upload of a file; returns its id. Throws 404 for an unknown entity, 400 when it has as many files as it may, or
 * the caller has uploaded as many bytes as it may, 429 while too many uploads are not complete, in all or of the caller.
 */
export function beginUpload(
  context: Pick<Deps, "db" | "config">,
  actor: Caller,
  entityId: number,
  name: string,
): Promise<string> {
  const { "max-files": max, "max-total-size-per-caller": maxMegabytes } = context.config.attachment;
  const share = shareOf(actor);
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    await countAlone(tx, "open uploads");
    const counts = await queries.countFiles(tx, entityId, share, maxOpen);
    const { files, open, openInAll, openOfCaller, bytesOfCaller } = counts;
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
    await queries.insertUpload(tx, entityId, uploadId, name, share);
    return uploadId;
  });
}

/**
 * Takes one chunk of a file as it comes; a chunk of the same index is replaced. Throws 404 for an unknown upload, 400 for
 * a complete one or a wrong index, 413 when the file would be too large, 503 while the storage is away.
 */
export async function takeChunk(
  context: Deps,
  actor: Actor,
  ref: UploadRef,
  request: Request,
): Promise<void> {
  requireOpen(await queries.upload(context.db, ref.entityId, ref.uploadId), ref);
  const maxBytes = maxFileBytes(context);
  const timeoutMs = context.config.server["body-timeout"];
  const written: WrittenChunk = { keys: [], size: 0, head: new Uint8Array() };
  try {
    const form = await readMultipart(
      request,
      { file: "file", fields: ["index"], maxBytes, timeoutMs },
      (bytes) => writePieces(context, bytes, written).then(() => true),
    );
    if (!form.file) throw wrong("file", "is required");
    const replaced = await keepChunk(context, actor, ref, chunkIndexOf(form.fields), written);
    await removeNow(context, replaced);
  } catch (error) {
    await giveUp(context, written.keys);
    throw error;
  }
}

/** Makes what was written a chunk of the file; returns the pieces that it replaces. */
function keepChunk(
  context: Deps,
  actor: Actor,
  ref: UploadRef,
  index: number,
  { keys, size, head }: WrittenChunk,
): Promise<string[]> {
  const max = maxFileBytes(context);
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, ref.entityId);
    const { id } = requireOpen(await queries.lockUpload(tx, ref.entityId, ref.uploadId), ref);
    const replaced = await queries.detachChunk(tx, id, index);
    const others = await queries.chunksOf(tx, id);
    if (others.size + size > max) throw fileTooLarge(max);
    if (await queries.attachChunk(tx, id, index, keys) < keys.length) {
      throw unavailable("The chunk took too long", 1);
    }
    if (index === 0) await queries.setMediaType(tx, id, mediaTypeOf(head));
    return replaced;
  });
}

/**
 * Makes an upload a file of its entity; DataEntityFile as JSON text, also when it is complete already. Throws 404 for an
 * unknown upload, 400 while a chunk is missing.
 */
export function completeUpload(
  context: Pick<Deps, "db">,
  actor: Actor,
  ref: UploadRef,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, ref.entityId);
    const upload = await queries.lockUpload(tx, ref.entityId, ref.uploadId);
    if (!upload) throw notFound("Upload", ref.uploadId);
    if (!upload.complete) {
      const { indexes, size } = await queries.chunksOf(tx, upload.id);
      requireAll(indexes);
      await queries.completeUpload(tx, upload.id, size);
    }
    return await queries.fileJson(tx, upload.id);
  });
}

/**
 * Gives up an upload, whose bytes are removed. Throws 404 for an unknown one, 400 for a complete one, which is a file.
 */
export async function cancelUpload(
  context: PieceDeps,
  actor: Actor,
  ref: UploadRef,
): Promise<void> {
  const pieces = await changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, ref.entityId);
    const { id } = requireOpen(await queries.lockUpload(tx, ref.entityId, ref.uploadId), ref);
    return await dropUploads(tx, [id]);
  });
  await removeNow(context, pieces);
}

/** Throws 400 that names the chunks which are missing below the last one. */
function requireAll(indexes: number[]): void {
  if (indexes.length === 0) throw wrong("index", "no chunk has come");
  const there = new Set(indexes);
  const missing = Array.from({ length: indexes.at(-1)! }, (_, at) => at)
    .filter((at) => !there.has(at));
  if (missing.length === 0) return;
  const more = missing.length > 20 ? `, and ${missing.length - 20} more` : "";
  throw wrong("index", `missing: ${missing.slice(0, 20).join(", ")}${more}`);
}

function chunkIndexOf(fields: Map<string, string>): number {
  const given = fields.get("index");
  if (given === undefined) throw wrong("index", "is required");
  const index = /^\d{1,6}$/.test(given) ? Number(given) : maxChunks;
  if (index < maxChunks) return index;
  throw wrong("index", `must be an integer from 0 to ${maxChunks - 1}`);
}

function requireOpen(upload: queries.Upload | undefined, { uploadId }: UploadRef): queries.Upload {
  if (!upload) throw notFound("Upload", uploadId);
  if (upload.complete) throw badRequest(`Upload ${uploadId} is complete: it is a file`);
  return upload;
}

function wrong(field: string, message: string): AppError {
  return badRequest(`Invalid body: ${field}: ${message}`, [{ field, message }]);
}

function fileTooLarge(max: number): AppError {
  const message = `all chunks together must be at most ${max} bytes (attachment.max-file-size)`;
  return tooLarge(`The file is too large: ${message}`, [{ field: "file", message }]);
}

function tooManyOpen(): AppError {
  return new AppError("Too many uploads are not complete; complete or cancel some, or wait", {
    status: 429,
    code: "SYS002",
    retryable: true,
    retryAfter: 60,
  });
}

/**
 * Writes bytes as objects, no more than one in memory at a time, each noted in the database before it is written. Keeps
 * count in `written`, also of what was written before it failed. Throws 503 while the storage is away.
 */
async function writePieces(
  { db, storage }: Pick<PieceDeps, "db" | "storage">,
  bytes: AsyncIterable<Uint8Array>,
  written: WrittenChunk,
): Promise<void> {
  for await (const piece of piecesOf(bytes)) {
    const key = crypto.randomUUID();
    await queries.announcePiece(db, key, piece.length, uploadLife);
    if (written.keys.length === 0) written.head = piece.slice(0, headBytes);
    written.keys.push(key);
    written.size += piece.length;
    await storage.put(key, piece);
  }
}

/** The bytes in pieces of one size, but for the last; of no bytes one empty piece. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes);
  let [filled, given] = [0, 0];
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + pieceBytes - filled);
      piece.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < pieceBytes) continue;
      yield piece;
      given++;
      piece = new Uint8Array(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0 || given === 0) yield piece.subarray(0, filled);
}

/**
 * Has pieces that became part of no file removed by housekeeping, once no write of them can still be under way. Never
 * rejects.
 */
async function giveUp({ db, clock, log }: PieceDeps, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const until = new Date(clock.now() + lateWrites);
  await sparePieces(db, keys, until).catch((error) => {
    log.warn("pieces of a chunk are removed later", { pieces: keys.length, error });
  });
}

/** Removes pieces of no file at once; what fails is left to housekeeping. Never rejects. */
async function removeNow({ db, storage, log }: PieceDeps, keys: string[]): Promise<void> {
  try {
    for (const key of keys) await storage.delete(key);
    await forgetPieces(db, keys);
  } catch (error) {
    log.debug("pieces are removed later", { pieces: keys.length, error });
  }
}

const spare = statement("attachment-pieces-spare")`
  UPDATE attachment_piece SET spared_until = $2
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Has pieces of no file looked at again after `until`. */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
async function sparePieces(db: Queryable, keys: string[], until: Date): Promise<void> {
  await db.query(spare, [keys, until.toISOString()]);
}
