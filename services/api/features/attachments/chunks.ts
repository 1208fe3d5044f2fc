import type { Actor } from "#contract/actor.ts";
import { type AppError, invalidField, tooLarge, unavailable } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { uploadLife } from "#metadata/catalogue/uploads.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { readMultipart } from "#platform/http/multipart.ts";
import { lateWrites, maxChunks, pieceBytes } from "#services/api/features/attachments/limits.ts";
import { headBytes, mediaTypeOf } from "#services/api/features/attachments/schemas.ts";
import {
  chunksOf,
  lockUpload,
  readUpload,
  removeNow,
  requireOpen,
  type UploadRef,
} from "#services/api/features/attachments/uploads.ts";

type Deps = Pick<Context, "db" | "storage" | "clock" | "log" | "config">;

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
 * Takes one chunk of a file as it comes; a chunk of the same index is replaced. Throws 404 for an unknown upload, 400 for
 * a complete one or a wrong index, 413 when the file would be too large, 503 while the storage is away.
 */
export async function takeChunk(
  context: Deps,
  actor: Actor,
  ref: UploadRef,
  request: Request,
): Promise<void> {
  requireOpen(await context.db.query(readUpload, [ref.entityId, ref.uploadId]), ref);
  const maxBytes = maxFileBytes(context);
  const timeoutMs = context.config.server["body-timeout"];
  const written: WrittenChunk = { keys: [], size: 0, head: new Uint8Array() };
  try {
    const form = await readMultipart(
      request,
      { file: "file", fields: ["index"], maxBytes, timeoutMs },
      (bytes) => writePieces(context, bytes, written).then(() => true),
    );
    if (!form.file) throw invalidField("file", "is required");
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
    const { id } = requireOpen(await tx.query(lockUpload, [ref.entityId, ref.uploadId]), ref);
    const replaced = await tx.query(detach, [id, index]);
    const [others] = await tx.query(chunksOf, [id]);
    if (others!.size + size > max) throw fileTooLarge(max);
    const attached = await tx.query(attach, [id, index, keys]);
    if (attached.length < keys.length) throw unavailable("The chunk took too long", 1);
    if (index === 0) await tx.query(setMediaType, [id, mediaTypeOf(head)]);
    return replaced.map(({ key }) => key);
  });
}

function chunkIndexOf(fields: Map<string, string>): number {
  const given = fields.get("index");
  if (given === undefined) throw invalidField("index", "is required");
  const index = /^\d{1,6}$/.test(given) ? Number(given) : maxChunks;
  if (index < maxChunks) return index;
  throw invalidField("index", `must be an integer from 0 to ${maxChunks - 1}`);
}

function fileTooLarge(max: number): AppError {
  const message = `all chunks together must be at most ${max} bytes (attachment.max-file-size)`;
  return tooLarge(`The file is too large: ${message}`, [{ field: "file", message }]);
}

/**
 * Writes bytes as objects, no more than one in memory at a time, each noted in the database before it is written. Keeps
 * count in `written`, also of what was written before it failed. Throws 503 while the storage is away.
 */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
async function writePieces(
  { db, storage }: Pick<Deps, "db" | "storage">,
  bytes: AsyncIterable<Uint8Array>,
  written: WrittenChunk,
): Promise<void> {
  for await (const piece of piecesOf(bytes)) {
    const key = crypto.randomUUID();
    await db.query(announce, [key, piece.length, uploadLife]);
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
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
async function giveUp({ db, clock, log }: Deps, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const until = new Date(clock.now() + lateWrites).toISOString();
  await db.query(spare, [keys, until]).catch((error) => {
    log.warn("pieces of a chunk are removed later", { pieces: keys.length, error });
  });
}

/** Notes an object that is about to be written, and that is removed after $3 ms unless it becomes part of a file. */
const announce = statement("attachment-piece-announce")`
  INSERT INTO attachment_piece (key, size, spared_until)
  VALUES ($1, $2, now() + $3 * interval '1 millisecond')`;

/** Takes a chunk out of an upload; returns its pieces. */
const detach = statement<{ key: string }>("attachment-chunk-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = $1 AND chunk = $2 RETURNING key::text`;

/** Makes announced pieces a chunk of an upload, as far as they still are there to be taken. */
const attach = statement<{ key: string }>("attachment-chunk-attach")`
  UPDATE attachment_piece p SET file_id = $1, chunk = $2, place = w.place
    FROM unnest($3::uuid[]) WITH ORDINALITY AS w (key, place)
   WHERE p.key = w.key AND p.file_id IS NULL AND p.spared_until > now() AND p.removal_failures = 0
  RETURNING p.key::text`;

const setMediaType = statement("attachment-upload-type")`
  UPDATE attachment_file SET media_type = $2 WHERE id = $1`;

const spare = statement("attachment-pieces-spare")`
  UPDATE attachment_piece SET spared_until = $2
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;
